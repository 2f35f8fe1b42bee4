#!/usr/bin/env python3
"""grow.py N POLICY.CONF OUT: a policy N times as large, to see how a compiler grows.

The type enforcement part is written N times; from the second copy on, each
name that it declares gets a suffix, so that every copy says something else.
Assertions over all types are left out: the copies would break each other's.
"""
import re
import sys

DECLARES = re.compile(r'\b(?:type|attribute|attribute_role|bool|tunable|role)\s+([A-Za-z][\w.-]*)')
ALIASES = re.compile(r'\balias\s+(?:\{([^}]*)\}|([A-Za-z][\w.-]*))')
WORD = re.compile(r'[A-Za-z][\w.-]*')
OVER_ALL = re.compile(r'\bneverallow\s[^;]*[~*][^;]*;')
MARK = re.compile(r'^\s*#.*$', re.M)


def split(text):
    """The part before type enforcement, that part, and the rest."""
    begin = re.search(r'^\s*(?:policycap|attribute|type|bool|role)\s', text, re.M).start()
    end = re.search(r'^\s*user\s', text, re.M).start()
    return text[:begin], text[begin:end], text[end:]


def declared(text):
    names = set(DECLARES.findall(text))
    for braces, one in ALIASES.findall(text):
        names.update(braces.split() or [one])
    return names - {'object_r', 'self'}


def main():
    copies, source, out = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    with open(source, encoding='latin-1') as file:
        head, middle, tail = split(file.read())
    middle = OVER_ALL.sub('', middle)
    names = declared(MARK.sub('', middle))
    once = re.sub(r'^\s*policycap\s.*?;', '', middle, flags=re.M)
    with open(out, 'w', encoding='latin-1') as file:
        file.write(head + middle)
        for copy in range(1, copies):
            file.write(WORD.sub(lambda m: f'{m[0]}_{copy}' if m[0] in names else m[0], once))
        file.write(tail)


if len(sys.argv) != 4:
    sys.exit('usage: grow.py N POLICY.CONF OUT')
main()
