# A rule for the makefile of a policy: `make check-labels`, also as a part of
# others.  Set what is yours before the include:
#
#	POLICY = policy.conf
#	LABEL_FILES = file_contexts
#	include labels.mk
#
# It runs when the policy or a label file has changed, and fails when one of them
# has an error.

POLICY ?= policy.conf
LABEL_FILES ?= file_contexts
MLS_VALIDATE ?= mls-validate

.PHONY: check-labels
check-labels: .labels-checked

.labels-checked: $(POLICY) $(LABEL_FILES)
	$(MLS_VALIDATE) -p $(POLICY) policy
	$(MLS_VALIDATE) -p $(POLICY) files $(LABEL_FILES)
	touch $@
