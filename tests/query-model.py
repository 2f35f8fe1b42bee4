#!/usr/bin/env python3
"""query-model.py PROGRAM [ROUNDS [SEED]]

Makes pairs of small random policies and compares `policy-query diff` with a model that expands every rule:
- unconditional allow, dontaudit and allowxperm rules: exactly what differs;
- conditional allow rules: for each state of the booleans, whatever differs in effect is in what is said, and what
  is said was in effect on its side.
"""
import itertools
import os
import random
import re
import sys
import tempfile
from collections import defaultdict

import query_text

TYPES = [f"x{i}" for i in range(9)]
ATTRIBUTES = [f"a{i}" for i in range(4)]
BOOLS = ["b0", "b1", "b2"]
CLASSES = {"c0": ["p0", "p1", "ioctl"], "c1": ["q0", "p1", "p0", "ioctl"]}


class Policy:
    def __init__(self, rng):
        self.members = {a: sorted(rng.sample(TYPES, rng.randint(0, 6))) for a in ATTRIBUTES}
        self.types = [t for t in TYPES if t == "x0" or rng.random() < 0.95]
        for a in ATTRIBUTES:
            self.members[a] = [t for t in self.members[a] if t in self.types]
        self.rules = [self.rule(rng, rng.choice(["allow"] * 4 + ["dontaudit", "allowxperm"])) for _ in range(14)]
        self.blocks = []
        for _ in range(rng.randint(0, 3)):
            branches = [[self.rule(rng, "allow") for _ in range(rng.randint(0, 2))] for _ in range(2)]
            self.blocks.append((self.expression(rng, 2), *branches))

    def rule(self, rng, kind):
        source = rng.choice(self.types + ATTRIBUTES)
        target = rng.choice(self.types + ATTRIBUTES + ["self"])
        name = rng.choice(list(CLASSES))
        if kind == "allowxperm":
            low = rng.choice([0x10, 0x100, 0x105, 0x200, 0x2fe])
            what = frozenset(range(low, low + rng.choice([1, 2, 5, 0x100])))
        else:
            what = frozenset(rng.sample(CLASSES[name], rng.randint(1, 2)))
        return kind, source, target, name, what

    def expression(self, rng, depth):
        if not depth or rng.random() < 0.3:
            return rng.choice(BOOLS)
        if rng.random() < 0.3:
            return f"(!{self.expression(rng, depth - 1)})"
        left, right = self.expression(rng, depth - 1), self.expression(rng, depth - 1)
        return f"({left} {rng.choice(['&&', '||', '^', '==', '!='])} {right})"

    def changed(self, rng):
        """A policy that differs a little, and is written in another order."""
        other = Policy(rng)
        other.types, other.members = list(self.types), {a: list(m) for a, m in self.members.items()}
        other.rules, other.blocks = list(self.rules), list(self.blocks)
        for _ in range(rng.randint(0, 3)):
            what = rng.randint(0, 3)
            if what == 0:
                a, t = rng.choice(ATTRIBUTES), rng.choice(self.types)
                other.members[a] = sorted(set(other.members[a]) ^ {t})
            elif what == 1:
                other.rules.pop(rng.randrange(len(other.rules)))
            elif what == 2:
                other.rules.append(other.rule(rng, rng.choice(["allow", "allowxperm"])))
            elif other.blocks:
                other.blocks.pop()
        rng.shuffle(other.rules)
        rng.shuffle(other.blocks)
        return other

    def text(self):
        def put(rule):
            kind, source, target, name, what = rule
            if kind == "allowxperm":
                return f"{kind} {source} {target}:{name} ioctl {{ {' '.join(f'0x{v:x}' for v in sorted(what))} }};"
            return f"{kind} {source} {target}:{name} {{ {' '.join(sorted(what))} }};"

        lines = [f"class {c}" for c in CLASSES] + ["sid kernel"]
        lines += [f"class {c} {{ {' '.join(p)} }}" for c, p in CLASSES.items()]
        lines += [f"attribute {a};" for a in ATTRIBUTES]
        for t in self.types:
            lines.append(", ".join([f"type {t}"] + [a for a in ATTRIBUTES if t in self.members[a]]) + ";")
        lines += [f"bool {b} false;" for b in BOOLS]
        lines += ["allow x0 x0:c0 p0;"] + [put(r) for r in self.rules]
        for expression, yes, no in self.blocks:
            lines.append(f"if ({expression}) {{")
            lines += [put(r) for r in yes] + ["} else {"] + [put(r) for r in no] + ["}"]
        lines += ["role r;", "role r types x0;", "user u roles r;", "sid kernel u:r:x0"]
        return "\n".join(lines) + "\n"

    def sets(self):
        return {**{t: {t} for t in self.types}, **{a: set(m) for a, m in self.members.items()}}

    def expand(self, rules):
        sets, found = self.sets(), defaultdict(set)
        for kind, source, target, name, what in rules:
            for s in sets[source]:
                for t in [s] if target == "self" else sets[target]:
                    found[kind, name, s, t] |= what
        return found

    def unconditional(self):
        return self.expand(self.rules + [("allow", "x0", "x0", "c0", frozenset(["p0"]))])

    def effective(self, state):
        rules = list(self.rules) + [("allow", "x0", "x0", "c0", frozenset(["p0"]))]
        for expression, yes, no in self.blocks:
            rules += yes if evaluate(expression, state) else no
        return self.expand(rules)


class Value:
    """A boolean whose operators bind as those of a policy do: all mixed ones are in parentheses."""

    def __init__(self, on):
        self.on = on

    def __invert__(self):
        return Value(not self.on)

    def __and__(self, other):
        return Value(self.on and other.on)

    def __or__(self, other):
        return Value(self.on or other.on)

    def __xor__(self, other):
        return Value(self.on != other.on)

    __ne__ = __xor__

    def __eq__(self, other):
        return Value(self.on == other.on)


def evaluate(expression, state):
    text = re.sub(r"!(?!=)", "~", expression).replace("&&", "&").replace("||", "|")
    return eval(text, {}, {name: Value(on) for name, on in state.items()}).on


def lacks(one, other):
    return {k: m - other.get(k, set()) for k, m in one.items() if m - other.get(k, set())}


def check(program, old, new, directory):
    paths = [os.path.join(directory, n) for n in ("old.conf", "new.conf")]
    for path, policy in zip(paths, (old, new)):
        with open(path, "w") as file:
            file.write(policy.text())
    said = {"-": defaultdict(set), "+": defaultdict(set)}
    conditional = []
    for sign, kind, name, condition, pairs, perms in query_text.changes(
        query_text.run(program, *paths), {"-": old.sets(), "+": new.sets()}
    ):
        if condition:
            conditional.append((sign, kind, name, condition, pairs, perms))
            continue
        for s, t in pairs:
            said[sign][kind, name, s, t] |= perms
    before, after = old.unconditional(), new.unconditional()
    faults = []
    for sign, want in (("-", lacks(before, after)), ("+", lacks(after, before))):
        for key in set(want) | set(said[sign]):
            if want.get(key, set()) != said[sign].get(key, set()):
                faults.append(f"{sign} {key}: {sorted(want.get(key, set()))} is {sorted(said[sign].get(key, set()))}")
    for bits in itertools.product([False, True], repeat=len(BOOLS)):
        state = dict(zip(BOOLS, bits))
        now = {sign: defaultdict(set, {k: set(m) for k, m in said[sign].items()}) for sign in said}
        effect = {"-": old.effective(state), "+": new.effective(state)}
        for sign, kind, name, (expression, branch), pairs, perms in conditional:
            if evaluate(expression, state) != branch:
                continue
            for s, t in pairs:
                now[sign][kind, name, s, t] |= perms
                if not perms <= effect[sign][kind, name, s, t]:
                    faults.append(f"{sign} {kind} {s} {t}:{name} {perms} [{expression}]: not in effect in {state}")
        for sign, one, other in (("-", effect["-"], effect["+"]), ("+", effect["+"], effect["-"])):
            for key, missing in lacks(one, other).items():
                if not missing <= now[sign].get(key, set()):
                    faults.append(f"{sign} {key} {missing} in {state}: not said")
    return faults


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 32)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        for n in range(rounds):
            old = Policy(rng)
            new = old.changed(rng) if n % 3 else Policy(rng)
            faults = check(program, old, new, directory)
            if faults:
                print(f"query-model: seed {seed}, round {n}")
                print("\n".join(faults[:10]))
                print("--- old\n" + old.text() + "--- new\n" + new.text())
                return 1
    print(f"query-model: {rounds} pairs agree (seed {seed})")
    return 0


sys.exit(main())
