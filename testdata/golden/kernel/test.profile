# For these cases.
name Linux test
versions 15 33
bounds 3
refuse port-zero
capability open_perms
sid 1 kernel
sid 3 unlabeled
class process { transition dyntransition }
class c1 { p1 p2 }
