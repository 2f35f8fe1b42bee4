#!/usr/bin/python3
"""query-expand.py PROGRAM OLD NEW

Expands all unconditional access vector rules of two binary policies, as setools reads them, to triples of types
and permissions, and compares what differs with what `policy-query diff` says.
"""
import sys
from collections import defaultdict

import setools

import query_text

KINDS = ("allow", "auditallow", "dontaudit")


def load(path):
    policy = setools.SELinuxPolicy(path)
    sets = {str(a): frozenset(map(str, a.expand())) for a in policy.typeattributes()}
    sets.update((str(t), frozenset([str(t)])) for t in policy.types())
    rules = defaultdict(list)
    for rule in policy.terules():
        if str(rule.ruletype) not in KINDS:
            continue
        try:
            rule.conditional
        except setools.exception.RuleNotConditional:
            perms = frozenset(map(str, rule.perms))
            rules[str(rule.ruletype), str(rule.tclass)].append((sets[str(rule.source)], sets[str(rule.target)], perms))
    return sets, rules


def expand(rules):
    found = defaultdict(set)
    for sources, targets, perms in rules:
        for source in sources:
            for target in targets:
                found[source, target] |= perms
    return found


def main():
    program, old, new = sys.argv[1:4]
    (old_sets, old_rules), (new_sets, new_rules) = load(old), load(new)
    said = defaultdict(lambda: defaultdict(set))
    for sign, kind, name, condition, pairs, perms in query_text.changes(
        query_text.run(program, old, new), {"-": old_sets, "+": new_sets}
    ):
        for pair in pairs if not condition else ():
            said[sign, kind, name][pair] |= perms
    wrong = total = 0
    for key in sorted(set(old_rules) | set(new_rules)):
        before, after = expand(old_rules[key]), expand(new_rules[key])
        for sign, one, other in (("-", before, after), ("+", after, before)):
            want = {p: m - other.get(p, set()) for p, m in one.items() if m - other.get(p, set())}
            total += len(want)
            got = said[(sign, *key)]
            for pair in set(want) | set(got):
                if want.get(pair, set()) != got.get(pair, set()):
                    wrong += 1
                    if wrong <= 10:
                        print(f"{sign} {key} {pair}: rules say {want.get(pair)}, diff says {got.get(pair)}")
    print(f"query-expand: {total} pairs that differ, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
