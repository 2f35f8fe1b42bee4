#!/usr/bin/env python3
"""modules-cil.py [--seed S] [--sets N] [--keep DIR] [--mls] [--secilc COMMAND]
               PROGRAMS [BASE MODULE...]

Compares the CIL that `module-compile -C` in the directory PROGRAMS writes, built by
secilc, with the policy that `policy-compile --link` makes of the same sources:
of the cases below testdata/golden/link, of N made-up sets (default 100, see
modules.py), or of the BASE and MODULEs alone.  A set that one of them refuses
the other refuses, too.  Each set is compiled to binary modules as well, and
their CIL (-b) is that of the sources, but for the order of statements.

The policy of type mls declares some roles in the base and in modules: that wants a
COMMAND `secilc -m` of libsepol 3.6 or later.

Two policies are the same when their rules are, after all attributes are replaced
by their types: secilc keeps or drops attributes as it sees fit.

What CIL cannot say is not made up, but for a few else branches, which are
refused: tunables in optional blocks, roles and users that are declared twice.
What blocks that are off do to a linked policy all the same (the link warns of it)
they do not in CIL: such sets are only built.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import sys
import tempfile

import modules
from modules import ACCEPT, REJECT, TOP, VERSION, run

LINK_CASES = TOP / "testdata/golden/link"
LIST = TOP / "testdata/MODULES.md"
REFUSED = "CIL cannot say this"
UNLIKE = re.compile(r"\[(effect-of-disabled-block|revived-symbol|flavour-mismatch)\]")


# ---- policies by meaning

RULE = re.compile(r"(allow|auditallow|dontaudit|auditallowxperm|allowxperm|dontauditxperm|type_transition|type_member|type_change|"
                  r"range_transition) (\S+) (\S+?):(\S+) (.*);")
ROLE_RULE = re.compile(r"role_transition (\S+) (\S+?):(\S+) (\S+);")
OPERATORS = {"&&": " and ", "||": " or ", "!": " not ", "^": " != ", "==": " == ", "!=": " != "}


def condition(text):
    """The booleans that matter, and the truth table of an expression."""
    names = sorted(set(re.findall(r"\w+", text)))
    code = re.sub(r"&&|\|\||!=|==|!|\^", lambda match: OPERATORS[match[0]], text)
    rows = [dict(zip(names, values)) for values in itertools.product((False, True), repeat=len(names))]
    table = {tuple(row.items()): eval(code, {}, row) for row in rows}
    used = [name for name in names if any(table[row] != table[tuple((n, v ^ (n == name)) for n, v in row)] for row in table)]
    return tuple(used), frozenset(tuple((n, v) for n, v in row if n in used) for row, true in table.items() if true)


def negated(names, rows):
    return names, frozenset(tuple(zip(names, values)) for values in itertools.product((False, True), repeat=len(names))) - rows


class Policy:
    """The text of `checkpolicy -b -F`."""

    def __init__(self, text):
        lines = [line.strip() for line in text.splitlines()]
        self.members, self.groups = {}, collections.defaultdict(set)
        for line in lines:
            if match := re.fullmatch(r"attribute (\S+);", line):
                self.members[match[1]] = set()
        for line in lines:
            if match := re.fullmatch(r"typeattribute (\{.*\}|\S+) (.*);", line):
                self.add_members(match[1].strip("{ }").split(), match[2].split(", "))
        self.facts, self.rules = set(), collections.defaultdict(set)
        self.condition = ()
        for line in lines:
            self.take(line)

    def add_members(self, types, attributes):
        for attribute in attributes:
            self.members[attribute].update(types)
        for one in types:
            self.groups[one].update(attributes)

    def take(self, line):
        if match := re.fullmatch(r"if \((.*)\) \{", line):
            self.condition = condition(match[1])
        elif line == "} else {":
            self.condition = negated(*self.condition)
        elif line == "}":
            self.condition = ()
        elif match := RULE.fullmatch(line):
            kind, source, target, name, rest = match.groups()
            self.rules[self.condition, kind, name, source, source if target == "self" else target] |= values_of(rest)
        elif match := ROLE_RULE.fullmatch(line):
            self.facts |= {("role_transition", match[1], one, match[3], match[4]) for one in self.types(match[2])}
        elif line.startswith(("constrain", "mlsconstrain", "validatetrans", "mlsvalidatetrans")):
            self.facts.add(" ".join(self.expanded(line)))
        elif not re.match(r"(type)?attribute ", line):
            self.facts.add(line.replace(" roles object_r", "") if line.startswith("user ") else line)

    def types(self, name):
        return self.members.get(name, {name})

    def expanded(self, line):
        for word in line.replace("{ ", "").replace(" }", "").split():
            yield "{%s}" % " ".join(sorted(self.members[word])) if word in self.members else word

    def says(self, kind, source, target):
        """All that rules of a kind say of two types."""
        return set().union(*(self.rules.get((*kind, one, other), ()) for one in [source, *self.groups[source]]
                             for other in [target, *self.groups[target]]))


def values_of(text):
    if match := re.fullmatch(r"(ioctl|nlmsg) \{ (.*) \}", text):
        spans = [span.split("-") for span in match[2].split()]
        return {(match[1], value) for span in spans for value in range(int(span[0], 0), int(span[-1], 0) + 1)}
    return set(text.strip("{ }").split()) if text.startswith("{") else {text}


def missing(one, other):
    """What the one policy says and the other does not."""
    yield from sorted(map(str, one.facts - other.facts))
    for (*kind, source, target), values in one.rules.items():
        if other.rules.get((*kind, source, target)) == values and one.types(source) == other.types(source) and \
                one.types(target) == other.types(target):
            continue
        for pair in itertools.product(one.types(source), one.types(target)):
            if values - other.says(kind, *pair):
                yield "%s %s: %s" % (kind, pair, values - other.says(kind, *pair))


def policy_of(work, image, mls):
    run(work, "checkpolicy", "-b", *mls, "-F", "-o", image + ".conf", image)
    return Policy((work / (image + ".conf")).read_text())


# ---- made-up sets

class Module(modules.Module):
    def add_optional(self, maker, parent):
        before = len(self.blocks)
        super().add_optional(maker, parent)
        block = self.blocks[before]
        if block.other and not maker.chance(0.02):
            self.blocks.remove(block.other)
            block.other = None


class Maker(modules.Maker):
    def places(self, kind):
        places = super().places(kind)
        if kind == "tunable" or (kind in ("role", "attribute_role") and not self.chance(0.1)):
            places = [block for block in places if not block.parent]
        return places

    def declare(self, kind, name):
        if kind in ("role", "attribute_role", "user"):
            self.random.choice(self.places(kind)).declared.append((kind, name))
        else:
            super().declare(kind, name)

    def add_statement(self, block):
        super().add_statement(block)
        if block.parent and block.statements and block.statements[-1].startswith("permissive") and not self.chance(0.1):
            block.statements.pop()


# ---- one set

class Set:
    secilc = ["secilc"]

    def __init__(self, programs, work, names, mls):
        self.programs, self.work, self.names, self.mls = programs, pathlib.Path(work), names, mls
        self.linked = self.built = None  # verdicts

    def module(self, name, number):
        return [] if number == 0 else ["-m"]

    def cil(self, directory):
        """Of the sources, and of what they compile to."""
        (self.work / directory).mkdir()
        texts = []
        for number, name in enumerate(self.names):
            stem = name.split(".")[0]
            kind = self.module(name, number)
            verdict, said = run(self.work, self.programs / "module-compile", *self.mls, *kind, "-C", "-L",
                                "-o", "%s/%s.cil" % (directory, stem), name)
            if verdict != ACCEPT:
                return verdict, said, texts
            texts.append("%s/%s.cil" % (directory, stem))
        return ACCEPT, "", texts

    def binary_differs(self):
        for number, name in enumerate(self.names):
            stem = name.split(".")[0]
            run(self.work, self.programs / "module-compile", *self.mls, *self.module(name, number), "-o", stem + ".mod", name)
            verdict, said = run(self.work, self.programs / "module-compile", *self.mls, "-b", "-C", "-o", stem + ".binary.cil",
                                stem + ".mod")
            if verdict != ACCEPT:
                return said
            source, binary = ((self.work / path).read_text() for path in ("ours/%s.cil" % stem, stem + ".binary.cil"))
            if canonical(source) != canonical(binary):
                return "CIL of the binary %s differs from that of its source" % name
        return None

    def build(self, texts, image):
        verdict, said = run(self.work, *self.secilc, "-c", VERSION, "-o", image, "-f", "/dev/null", *texts)
        return (REJECT if "Failed to" in said else verdict), said

    def faults(self):
        self.linked, said = run(self.work, self.programs / "policy-compile", *self.mls, "-c", VERSION, "-o", "linked", "--link",
                                *self.names)
        written, complaint, texts = self.cil("ours")
        self.verdict = "refused" if REFUSED in complaint else "unlike" if UNLIKE.search(said) else self.linked
        if written != ACCEPT:
            if self.verdict == ACCEPT:
                yield "module-compile -C: %s\n%s" % (written, complaint)
            return
        if fault := self.binary_differs():
            yield fault
        self.built, complaint = self.build(texts, "built")
        if self.verdict == "unlike":
            return
        if self.built != self.linked:
            yield "secilc: %s, the link: %s\n%s%s" % (self.built, self.linked, complaint, said)
        elif self.built == ACCEPT:
            yield from self.differences()

    def differences(self):
        built, linked = policy_of(self.work, "built", self.mls), policy_of(self.work, "linked", self.mls)
        found = ["secilc: " + text for text in itertools.islice(missing(built, linked), 20)]
        found += ["link:   " + text for text in itertools.islice(missing(linked, built), 20)]
        if found:
            yield "another policy\n" + "\n".join(found)


def canonical(text):
    """The lines but the marks, with what stands in the names that were made up."""
    sets = dict(re.findall(r"\((?:type|role)attributeset (\w+_(?:type|role)attr_\d+) (.*)\)", text))
    return sorted(re.sub(r"\w+_(?:type|role)attr_\d+", lambda match: sets[match[0]], line) for line in text.splitlines()
                  if not line.startswith(";;*"))


def made_up(seed, programs, keep):
    with tempfile.TemporaryDirectory() as work:
        maker, names = Maker(seed, 1), []
        for name, text in maker.texts():
            (pathlib.Path(work) / name).write_text(text)
            names.append(name)
        one = Set(programs, work, names, ["-M"] if maker.mls else [])
        faults = list(one.faults())
        if faults and keep:
            shutil.copytree(work, os.path.join(keep, str(seed)), dirs_exist_ok=True)
    return "set %d" % seed, one.verdict, faults


def given(base, others, programs, mls):
    with tempfile.TemporaryDirectory() as work:
        names = []
        for path in [base, *others]:
            shutil.copy(path, work)
            names.append(os.path.basename(path))
        one = Set(programs, work, names, mls)
        faults = list(one.faults())
        return str(base), one.verdict, faults


def golden(base, programs):
    flags = base.with_suffix(".flags")
    mls = [word for word in (flags.read_text().split() if flags.exists() else []) if word == "-M"]
    with tempfile.TemporaryDirectory() as work:
        names = [base.name]
        shutil.copy(base, work)
        for path in sorted(base.parent.glob(base.stem + ".*.module")):
            name = path.name.split(".")[-2] + ".te"
            shutil.copy(path, os.path.join(work, name))
            names.append(name)
        one = Set(programs, work, names, mls)
        faults = list(one.faults())
    return base.name, one, faults


def listed_cases():
    """(verdict of the link, verdict of secilc) by case."""
    rows = LIST.read_text().split("## CIL")[1]
    return {name: (link, built) for name, link, built in re.findall(r"^\| `([a-z0-9_-]+)` \| (\w+) \| (\w+) \|", rows, flags=re.M)}


def compare_cases(programs):
    listed = listed_cases()
    for base in sorted(LINK_CASES.glob("*.conf")):
        name, one, faults = golden(base, programs)
        if base.stem in listed:
            expected = listed.pop(base.stem)
            faults = [] if (one.linked, one.built) == expected else ["listed as %s, %s; is %s, %s" % (*expected, one.linked, one.built)]
        yield name, one.verdict, faults
    for name in listed:
        yield name, REJECT, ["in %s, and there is no such case" % LIST.name]


def report(what, results):
    verdicts, failed = collections.Counter(), 0
    for name, verdict, faults in results:
        verdicts[verdict] += 1
        failed += bool(faults)
        for fault in faults:
            print("FAIL %s: %s" % (name, fault))
    print("modules-cil: %s: %s, %d failed" % (what, ", ".join("%d %s" % (n, v) for v, n in sorted(verdicts.items())), failed))
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--keep")
    parser.add_argument("--mls", action="store_true")
    parser.add_argument("--secilc", default="secilc")
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("sources", nargs="*")
    options = parser.parse_args()
    programs = options.programs.resolve()
    modules.Module, Set.secilc = Module, options.secilc.split()
    if options.sources:
        return min(1, report("given", [given(options.sources[0], options.sources[1:], programs, ["-M"] if options.mls else [])]))
    failed = report("cases", compare_cases(programs))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        seeds = range(options.seed, options.seed + options.sets)
        failed += report("seed %d" % options.seed, pool.map(lambda seed: made_up(seed, programs, options.keep), seeds))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
