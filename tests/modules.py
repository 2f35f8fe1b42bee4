#!/usr/bin/env python3
"""modules.py [--seed S] [--sets N] [--size FACTOR] [--keep DIR] PROGRAMS

Compares module-compile and `policy-compile --link` in the directory PROGRAMS
with checkmodule, semodule_link and semodule_expand.

First, each case testdata/golden/modules/NAME.te is given to both compilers: they
agree on whether it is a module.  testdata/MODULES.md lists those that are
meant to differ, with the verdicts of both; a listed case that does not differ is a
failure.

Then N sets (default 200) of a base and up to three modules are made up: symbols
are declared and required at random over global, optional and else blocks, and
used by rules of all kinds, mostly where they can be seen.  A FACTOR (default 1)
gives more modules, and as many times the blocks, statements and names.  Of each set
four policies are made, and must be one and the same, or all be refused:

  reference  checkmodule, semodule_package, semodule_link, semodule_expand
  mod        the same with module-compile in checkmodule's place
  link       policy-compile --link of the sources
  binary     policy-compile --link of checkmodule's packages and sources, in turn

Sets that differ are kept in DIR with their sources.

What 3.4 and its tools do wrong is not made up: types of roles by attributes
with members from optional blocks, users in optional blocks of MLS policies or
only required in them, `*` in a base, classes that the base has not, booleans
that a module declares behind a requirement, members of role attributes from else
branches of a base (checkmodule tries a base out alone, and leaves them in it).
Where they crash, or write what nobody can read, there is nothing to compare
with.  Neither is there for `link` when checkmodule refuses a base for what it is
alone, as when its else branches contradict each other: with modules they may be
off.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
CASES = TOP / "testdata/golden/modules"
LIST = TOP / "testdata/MODULES.md"
VERSION = "33"        # of policies
MODULE_VERSION = "21"  # of modules, the newest that Debian's tools read
SECONDS = 60
ACCEPT, REJECT, CRASH = "accept", "reject", "crash"


def run(directory, *command):
    """The verdict, and what the command said."""
    made = subprocess.run([str(word) for word in command], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", timeout=SECONDS)
    if made.returncode < 0 or made.returncode > 1:
        return CRASH, made.stderr
    return (REJECT if made.returncode else ACCEPT), made.stderr


# ---- verdicts of the golden cases

def listed_cases():
    rows = re.findall(r"^\| `([a-z0-9_-]+)` \| (\w+) \| [^|]* \| (\w+) \|", LIST.read_text(), flags=re.M)
    return {name: (theirs, ours) for name, theirs, ours in rows}


def case_verdicts(path, programs, work):
    flags = path.with_suffix(".flags")
    options = flags.read_text().split() if flags.exists() else []
    module = path.stem + ".mod"
    return (run(work, "checkmodule", "-m", *options, "-o", module, path)[0],
            run(work, programs / "module-compile", "-m", *options, "-o", module, path)[0])


def compare_cases(programs):
    listed, failed, number = listed_cases(), 0, 0
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(CASES.glob("*.te")):
            number += 1
            theirs, ours = case_verdicts(path, programs, work)
            expected = listed.pop(path.stem, None)
            if (theirs, ours) == expected or (theirs == ours and not expected):
                continue
            failed += 1
            print("FAIL %s: checkmodule %s, module-compile %s, %s has %s" %
                  (path.stem, theirs, ours, LIST.name, " and ".join(expected) if expected else "nothing"))
    for name in listed:
        failed += 1
        print("FAIL %s: in %s, and there is no such case" % (name, LIST.name))
    print("modules: %d cases, %d failed" % (number, failed))
    return failed


# ---- made-up sets

CLASSES = {"c1": ["p1", "p2", "p3"], "file": ["read", "write", "ioctl"], "process": ["transition", "fork"]}
NAMES = {"type": ("ty", 9), "attribute": ("at", 4), "role": ("ro", 4), "attribute_role": ("qa", 2), "bool": ("bo", 3),
         "tunable": ("tu", 2), "user": ("us", 2)}


class Block:
    """A block of a module: what it declares and requires, and its statements."""

    def __init__(self, module, parent, is_else=False):
        self.module, self.parent, self.is_else = module, parent, is_else
        self.declared, self.required, self.classes = [], [], set()
        self.statements, self.users, self.children = [], [], []
        self.other = None

    def chain(self):
        block = self
        while block:
            yield block
            block = block.parent

    def visible(self, *kinds):
        names = {name for block in self.chain() for kind, name in block.declared + block.required if kind in kinds}
        if self.module.is_base and "type" in kinds:
            names |= {"k_t", "l_t"}
        if self.module.is_base and "role" in kinds:
            names.add("k_r")
        return sorted(names)

    def visible_classes(self):
        if self.module.is_base:
            return sorted(CLASSES)
        return sorted(set().union(*(block.classes for block in self.chain())))


class Module:
    def __init__(self, maker, number):
        self.is_base, self.name = number == 0, "m%d" % number if number else "base"
        self.root = Block(self, None)
        self.blocks = [self.root]
        for _ in range(maker.size * maker.random.choice([0, 1, 2, 2, 3])):
            self.add_optional(maker, maker.random.choice(self.blocks))

    def add_optional(self, maker, parent):
        block = Block(self, parent)
        parent.children.append(block)
        self.blocks.append(block)
        # The else branch of a nested block may be on while its names are off.
        if maker.chance(0.5) if not parent.parent else maker.mistake(0.5):
            block.other = Block(self, parent, is_else=True)
            self.blocks.append(block.other)


class Maker:
    def __init__(self, seed, size):
        self.random, self.size = random.Random(seed), size
        self.kinds = [(kind, prefix + str(i)) for kind, (prefix, number) in NAMES.items() for i in range(size * number)]
        self.mls = self.random.random() < 0.2
        self.modules = [Module(self, i) for i in range(self.random.randint(2, 3 + size))]
        self.blocks = [block for module in self.modules for block in module.blocks]
        self.result = set()
        for kind, name in self.kinds:
            self.declare(kind, name)
        for block in self.blocks:
            self.require(block)
        for block in self.blocks:
            for _ in range(self.random.randint(1, 5 * size)):
                self.add_statement(block)

    def chance(self, p):
        return self.random.random() < p

    def mistake(self, p):
        """Rarer in a larger set: one is enough for it to be refused."""
        return self.chance(p / self.size ** 3)

    # -- declarations and requirements

    def places(self, kind):
        places = [block for block in self.blocks if not block.is_else]
        if kind == "user" and self.mls:
            places = [block for block in places if not block.parent]
        return places

    def declare(self, kind, name):
        times = self.random.choice([1, 1, 1, 1, 1, 1, 2, 0])
        if times == 2 and kind not in ("role", "user") and not self.mistake(0.02):
            times = 1
        for block in self.random.sample(self.places(kind), min(times, len(self.places(kind)))):
            block.declared.append((kind, name))

    def require(self, block):
        if block.is_else:
            return
        wanted = [kind_name for kind_name in self.kinds if kind_name not in block.declared and not (self.mls and kind_name[0] == "user") and self.chance(0.15 if block.parent else 0.3)]
        if block.parent is None and not self.mistake(0.02):
            wanted = [(kind, name) for kind, name in wanted if self.is_there(kind, name)]
        if block.module.is_base and block.parent is None:
            wanted = []
        wanted = [(kind, name) for kind, name in wanted if kind not in ("bool", "tunable") or
                  not any((kind, name) in other.declared for other in block.module.blocks)]
        block.required = [("bool" if kind == "tunable" and self.mistake(0.01) else kind, name) for kind, name in wanted]
        for name in CLASSES:
            if not block.module.is_base and self.chance(0.8 if block.parent is None else 0.2):
                block.classes.add(name)
        if not block.module.is_base:
            block.classes.add("c1")

    def is_there(self, kind, name):
        """Declared where it cannot be off."""
        return any((kind, name) in block.declared for module in self.modules for block in [module.root])

    # -- statements

    def pick(self, block, *kinds):
        if self.mistake(0.002):
            return self.random.choice([name for kind, name in self.kinds if kind in kinds])
        names = block.visible(*kinds)
        return self.random.choice(names) if names else None

    def type_set(self, block, more=()):
        names = [name for name in (self.pick(block, "type", "attribute") for _ in range(self.random.choice([1, 1, 1, 2, 3]))) if name]
        if not names:
            return None
        if len(names) == 1 and not more and self.chance(0.8):
            return names[0]
        if self.chance(0.3):
            names.append("-" + names[-1] if len(names) > 1 and self.chance(0.2) else "-" + (self.pick(block, "type") or names[0]))
        return "{ %s }" % " ".join(names + list(more))

    def class_and_perms(self, block):
        classes = block.visible_classes()
        name = self.random.choice(classes) if classes else None
        if not name:
            return None
        perms = self.random.sample(CLASSES[name], self.random.randint(1, 2))
        if not block.module.is_base and self.chance(0.1):
            return name, self.random.choice(["*", "~" + perms[0]])
        return name, perms[0] if len(perms) == 1 else "{ %s }" % " ".join(perms)

    def av_rule(self, block, kinds=("allow", "allow", "allow", "dontaudit", "auditallow")):
        source, target, where = self.type_set(block), self.type_set(block, ["self"] if self.chance(0.1) else []), self.class_and_perms(block)
        if not (source and target and where):
            return None
        return "%s %s %s:%s %s;" % (self.random.choice(kinds), source, target, *where)

    def type_rule(self, block, filename=False):
        if self.size > 1 and not self.chance(1 / self.size ** 2):  # conflicts grow with their square
            return None
        source, target, where, result = self.type_set(block), self.type_set(block), self.class_and_perms(block), self.pick(block, "type")
        if not (source and target and where and result):
            return None
        kind = "type_transition" if filename else self.random.choice(["type_transition", "type_change", "type_member"])
        return "%s %s %s:%s %s%s;" % (kind, source, target, where[0], result, ' "f%d"' % self.random.randint(0, 5) if filename else "")

    def conditional(self, block):
        names = [self.pick(block, "bool" if self.chance(0.7) else "tunable") for _ in range(self.random.choice([1, 1, 2]))]
        if None in names:
            return None
        if len({name[0] for name in names}) > 1:
            names = names[:1]
        rules = [rule for rule in (self.av_rule(block) for _ in range(2)) if rule]
        if not rules:
            return None
        expression = self.random.choice(["%s", "!%s"]) % (" && ".join(names) if len(names) == 1 else "(%s)" % self.random.choice([" && ", " || ", " == "]).join(names))
        text = "if (%s) {\n\t%s\n}" % (expression, rules[0])
        return text + (" else {\n\t%s\n}" % rules[1] if len(rules) > 1 else "")

    def role_statement(self, block):
        role, other, types = self.pick(block, "role"), self.pick(block, "role", "attribute_role"), self.pick(block, "type")
        if not (role and other and types):
            return None
        choice = self.random.randint(0, 3)
        if choice == 0:
            return "role %s types { %s %s };" % (other, types, self.pick(block, "type") or types)
        if choice == 1:
            return "allow %s %s;" % (other, role)
        if choice == 2:
            group = None if block.is_else and block.module.is_base else self.pick(block, "attribute_role")
            return "roleattribute %s %s;" % (role, group) if group else None
        key = (role, types)
        if "process" not in block.visible_classes() or key in self.result:
            return None
        self.result.add(key)
        return "role_transition %s %s:process %s;" % (role, types, role)

    def membership(self, block):
        name, group = self.pick(block, "type"), self.pick(block, "attribute")
        return "typeattribute %s %s;" % (name, group) if name and group else None

    def range_rule(self, block):
        source, target = self.pick(block, "type"), self.pick(block, "type")
        if not (self.mls and source and target and "process" in block.visible_classes()):
            return None
        return "range_transition %s %s:process %s;" % (source, target, self.random.choice(["s0", "s0:c0.c2", "s0 - s1:c1", "s1:c0,c2"]))

    def add_statement(self, block):
        kinds = [self.av_rule, self.av_rule, self.av_rule, self.type_rule, self.conditional, self.role_statement, self.role_statement,
                 self.membership, self.membership, self.range_rule, lambda b: self.type_rule(b, True),
                 lambda b: "permissive %s;" % self.pick(b, "type") if b.visible("type") and not b.is_else else None]
        statement = self.random.choice(kinds)(block)
        if statement:
            block.statements.append(statement)

    # -- text

    def declarations(self, block):
        words = {"type": "type %s;", "attribute": "attribute %s;", "role": "role %s;", "attribute_role": "attribute_role %s;",
                 "bool": "bool %s true;", "tunable": "tunable %s false;"}
        order = ["attribute", "attribute_role", "bool", "tunable", "type", "role"]
        return [words[kind] % name for kind, name in sorted(block.declared, key=lambda d: order.index(d[0]) if d[0] in order else 9) if kind != "user"]

    def requirements(self, block):
        lines = ["%s %s;" % (kind, name) for kind, name in block.required]
        lines += ["class %s { %s };" % (name, " ".join(CLASSES[name])) for name in sorted(block.classes)]
        if self.mls and block.classes and block.parent is None:
            lines += ["sensitivity s0, s1;", "category c0, c1, c2;"]
        return ["require {\n\t%s\n}" % "\n\t".join(lines)] if lines else []

    def users(self, block):
        level = " level s0 range s0 - s1:c0.c2" if self.mls else ""
        roles = block.visible("role") or ["object_r"]
        return ["user %s roles { %s }%s;" % (name, " ".join(roles[:2]), level) for kind, name in block.declared if kind == "user"]

    def body(self, block):
        lines = self.requirements(block) + self.declarations(block)
        for child in block.children:
            lines.append("optional {\n%s\n}" % self.indented(child) +
                         (" else {\n%s\n}" % self.indented(child.other) if child.other else ""))
        lines += block.statements
        return lines or [";"]

    def indented(self, block):
        return "\n".join("\t" + line for line in "\n".join(self.body(block) + self.users(block)).splitlines())

    def base_text(self, root):
        vectors = ["class %s { %s }" % (name, " ".join(perms)) for name, perms in CLASSES.items()]
        mls = ["sensitivity s0;", "sensitivity s1;", "dominance { s0 s1 }", "category c0;", "category c1;", "category c2;",
               "level s0:c0.c2;", "level s1:c0.c2;", "mlsconstrain file read (l1 dom l2);"] if self.mls else []
        fixed = ["type k_t;", "type l_t;", "role k_r;", "role k_r types k_t;", "allow k_t l_t:c1 p1;"]
        user = "user k_u roles k_r%s;" % (" level s0 range s0 - s1:c0.c2" if self.mls else "")
        return "\n".join(["class " + name for name in CLASSES] + ["sid kernel"] + vectors + mls + fixed + self.body(root) + [user] +
                         self.users(root) + ["sid kernel k_u:k_r:k_t" + (":s0" if self.mls else "")]) + "\n"

    def texts(self):
        for module in self.modules:
            if module.is_base:
                yield "base.conf", self.base_text(module.root)
            else:
                yield module.name + ".te", "module %s 1.0;\n%s\n" % (module.name, "\n".join(self.body(module.root) + self.users(module.root)))


# ---- one set

class Set:
    def __init__(self, seed, size, programs, work):
        self.maker, self.programs, self.work = Maker(seed, size), programs, pathlib.Path(work)
        self.mls = ["-M"] if self.maker.mls else []
        self.names = []
        for name, text in self.maker.texts():
            (self.work / name).write_text(text)
            self.names.append(name)

    def through_tools(self, compiler, options, policy):
        packages = []
        for name in self.names:
            stem, kind = name.split(".")[0], ["-m"] if name.endswith(".te") else []
            verdict, said = run(self.work, compiler, *options, *self.mls, *kind, "-o", stem + ".mod", name)
            if verdict == ACCEPT:
                verdict, said = run(self.work, "semodule_package", "-o", stem + ".pp", "-m", stem + ".mod")
            if verdict != ACCEPT:
                return verdict, said
            packages.append(stem + ".pp")
        verdict, said = run(self.work, "semodule_link", "-o", "linked", *packages)
        if verdict == ACCEPT:
            verdict, said = run(self.work, "semodule_expand", "-c", VERSION, "linked", policy)
        return verdict, said

    def link(self, policy, inputs):
        return run(self.work, self.programs / "policy-compile", *self.mls, "-c", VERSION, "--link", "-o", policy, *inputs)

    def differs(self, policy):
        made = subprocess.run([str(self.programs / "policy-query"), "diff", "reference", policy], cwd=self.work,
                              capture_output=True, text=True, errors="replace", timeout=SECONDS)
        return made.stdout + made.stderr if made.returncode else ""

    def faults(self):
        reference = self.through_tools("checkmodule", [], "reference")
        if reference[0] == ACCEPT and run(self.work, self.programs / "policy-query", "info", "reference")[0] != ACCEPT:
            reference = CRASH, ""
        mixed = [name.split(".")[0] + ".pp" if i % 2 == 0 else name for i, name in enumerate(self.names)]
        made = []
        if "expand module failed" not in reference[1]:
            made.append(("link", self.link("link", self.names)))
        if reference[0] == ACCEPT:
            made.append(("binary", self.link("binary", mixed)))
        made.append(("mod", self.through_tools(self.programs / "module-compile", ["-c", MODULE_VERSION], "mod")))
        self.verdict = reference[0]
        if self.verdict == CRASH:
            return
        for name, (verdict, said) in made:
            if verdict != reference[0]:
                yield "%s: %s, the reference: %s\n%s%s" % (name, verdict, reference[0], said, reference[1])
            elif verdict == ACCEPT and self.differs(name):
                yield "%s: another policy\n%s" % (name, self.differs(name))


def compare_set(seed, size, programs, keep):
    with tempfile.TemporaryDirectory() as work:
        one = Set(seed, size, programs, work)
        faults = list(one.faults())
        if faults and keep:
            shutil.copytree(work, os.path.join(keep, str(seed)), dirs_exist_ok=True)
    return seed, one.verdict, faults


def compare_sets(seed, number, size, programs, keep):
    accepted = crashed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for one, verdict, faults in pool.map(lambda i: compare_set(i, size, programs, keep), range(seed, seed + number)):
            accepted += verdict == ACCEPT
            crashed += verdict == CRASH
            failed += bool(faults)
            for fault in faults:
                print("FAIL set %d: %s" % (one, fault))
    print("modules: seed %d, %d sets, %d accepted, %d crashed the reference, %d failed" % (seed, number, accepted, crashed, failed))
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--size", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("programs", type=pathlib.Path)
    given = parser.parse_args()
    programs = given.programs.resolve()
    failed = compare_cases(programs)
    failed += compare_sets(given.seed, given.sets, given.size, programs, given.keep)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
