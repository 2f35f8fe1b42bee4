#!/usr/bin/env python3
"""Tests of text-diff.py: pairs of texts that are the same policy, and pairs
that are not."""

import importlib.util
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location(
    'text_diff', os.path.join(here, 'text-diff.py'))
text_diff = importlib.util.module_from_spec(spec)
spec.loader.exec_module(text_diff)

SAME, DIFFERENT = True, False

CASES = (
    # policy.conf: sets and their order
    (SAME, 'type a;\ntype b;\n', 'type b;\ntype a;\n'),
    (DIFFERENT, 'type a;\ntype b;\n', 'type a;\n'),
    (DIFFERENT, 'type a;\n', 'type a;\ntype a;\n'),
    (SAME, 'allow a b:c { p q };\n', 'allow a b:c { q p };\n'),
    (DIFFERENT, 'allow a b:c { p q };\n', 'allow a b:c { p };\n'),
    (DIFFERENT, 'allow a b:c { p };\n', 'dontaudit a b:c { p };\n'),
    (SAME, 'typeattribute t a, b;\n', 'typeattribute t b, a;\n'),
    (SAME, 'user u roles { r s } level s0 range s0 - s0;\n',
     'user u roles { s r } level s0 range s0 - s0;\n'),
    (DIFFERENT, 'user u roles { r s } level s0 range s0 - s0;\n',
     'user u roles { r s } level s0 range s0 - s1;\n'),
    (SAME, 'role r types { a b c };\n',
     'role r types { c };\nrole r types { b a };\n'),
    (DIFFERENT, 'role r types { a b };\n', 'role r types { a };\n'),
    (SAME, 'sensitivity s0 alias { x y };\n', 'sensitivity s0 alias { y x };\n'),
    # policy.conf: order that is meaning
    (DIFFERENT, 'class a\nclass b\n', 'class b\nclass a\n'),
    (SAME, 'class a { p }\nclass b { q }\n', 'class b { q }\nclass a { p }\n'),
    (DIFFERENT, 'class a { p q }\n', 'class a { q p }\n'),
    (DIFFERENT, 'common a { p q }\n', 'common a { q p }\n'),
    (DIFFERENT, 'dominance { s0 s1 }\n', 'dominance { s1 s0 }\n'),
    (DIFFERENT, 'category c0;\ncategory c1;\n', 'category c1;\ncategory c0;\n'),
    (DIFFERENT, 'sid kernel\nsid file\n', 'sid file\nsid kernel\n'),
    (DIFFERENT, 'portcon tcp 1 u:r:t\nportcon tcp 1-2 u:r:s\n',
     'portcon tcp 1-2 u:r:s\nportcon tcp 1 u:r:t\n'),
    (DIFFERENT, 'genfscon p "/a" u:r:t\ngenfscon p "/" u:r:t\n',
     'genfscon p "/" u:r:t\ngenfscon p "/a" u:r:t\n'),
    (SAME, 'genfscon p "/a" u:r:t\ngenfscon q "/" u:r:t\n',
     'genfscon q "/" u:r:t\ngenfscon p "/a" u:r:t\n'),
    (SAME, 'constrain f { p } u1 == u2;\nconstrain f { q } r1 == r2;\n',
     'constrain f { q } r1 == r2;\nconstrain f { p } u1 == u2;\n'),
    (SAME, 'constrain f { p } t1 == { a b };\n',
     'constrain f { p } t1 == { b a };\n'),
    (DIFFERENT, 'constrain f { p } u1 == u2;\n', 'constrain f { p } u1 != u2;\n'),
    # policy.conf: comments
    (SAME, '# one\ntype a;\n', '# two\ntype a;\n'),
    (DIFFERENT, '# handle_unknown deny\ntype a;\n',
     '# handle_unknown allow\ntype a;\n'),
    # policy.conf: conditionals
    (SAME, 'if ((a && b)) {\n    allow a b:c { p };\n}\n',
     'if ((b && a)) {\n    allow a b:c { p };\n}\n'),
    (DIFFERENT, 'if ((a && b)) {\n    allow a b:c { p };\n}\n',
     'if ((a || b)) {\n    allow a b:c { p };\n}\n'),
    (SAME, 'if (a) {\n    allow a b:c { p };\n}\n',
     'if (! a) {\n} else {\n    allow a b:c { p };\n}\n'),
    (DIFFERENT, 'if (a) {\n    allow a b:c { p };\n}\n',
     'if (! a) {\n    allow a b:c { p };\n}\n'),
    (SAME, 'if ((! a && ! b)) {\n    allow a b:c { p };\n}\n',
     'if (! (a || b)) {\n    allow a b:c { p };\n}\n'),
    (SAME, 'if ((a == b)) {\n    allow a b:c { p };\n}\n',
     'if ((a ^ b)) {\n} else {\n    allow a b:c { p };\n}\n'),
    (SAME, 'if ((a && (b || ! b))) {\n    allow a b:c { p };\n}\n',
     'if (a) {\n    allow a b:c { p };\n}\n'),
    (SAME, 'if (a) {\n    allow a b:c { p };\n}\nif (a) {\n'
     '    allow a b:c { q };\n}\n', 'if (a) {\n    allow a b:c { p q };\n}\n'),
    (DIFFERENT, 'if (a) {\n    allow a b:c { p };\n}\n',
     'if (a) {\n    allow a b:c { p };\n    allow a b:c { q };\n}\n'),
    (DIFFERENT, 'if (a) {\n    allow a b:c { p };\n}\n', 'bool a true;\n'),
    (DIFFERENT, 'if (a) {\n    type_transition a b:c d;\n}\n',
     'if (a) {\n    type_transition a b:c e;\n}\n'),
    (DIFFERENT, 'allow a b:c { p };\n',
     'if (a) {\n    allow a b:c { p };\n}\n'),
    # CIL
    (SAME, '(type a)\n(type b)\n', '(type b)\n(type a)\n'),
    (SAME, '(allow a b (c (p q)))\n', '(allow a b (c (q p)))\n'),
    (DIFFERENT, '(allow a b (c (p q)))\n', '(allow a b (c (p)))\n'),
    (DIFFERENT, '(class c (p q))\n', '(class c (q p))\n'),
    (DIFFERENT, '(classorder (a b))\n', '(classorder (b a))\n'),
    (SAME, '(typeattributeset x (a b))\n', '(typeattributeset x (b a))\n'),
    (DIFFERENT, '(typeattributeset x (not (a)))\n',
     '(typeattributeset x (a))\n'),
    (SAME, '(constrain (f (p q)) (eq t1 (a b)))\n',
     '(constrain (f (q p)) (eq t1 (b a)))\n'),
    (DIFFERENT, '(constrain (f (p)) (not (eq l1 h1)))\n',
     '(constrain (f (p)) (not (eq h1 l1)))\n'),
    (DIFFERENT, '(portcon tcp 1 (x))\n(portcon udp 1 (x))\n',
     '(portcon udp 1 (x))\n(portcon tcp 1 (x))\n'),
    (SAME, '(booleanif (and a b)\n    (true\n        (allow a b (c (p)))\n'
     '    )\n)\n', '(booleanif (not (and b a))\n    (false\n'
     '        (allow a b (c (p)))\n    )\n)\n'),
    (DIFFERENT, '(booleanif (and a b)\n    (true\n        (allow a b (c (p)))\n'
     '    )\n)\n', '(booleanif (and a b)\n    (true\n'
     '        (allow a b (c (q)))\n    )\n)\n'),
    (SAME, '(typeattribute b_typeattr_1)\n'
     '(typeattributeset b_typeattr_1 (and (x) (not (y))))\n'
     '(allow b_typeattr_1 z (c (p)))\n',
     '(typeattribute b_typeattr_7)\n'
     '(typeattributeset b_typeattr_7 (and (x) (not (y))))\n'
     '(allow b_typeattr_7 z (c (p)))\n'),
    (DIFFERENT, '(typeattributeset b_typeattr_1 (and (x) (not (y))))\n'
     '(allow b_typeattr_1 z (c (p)))\n',
     '(typeattributeset b_typeattr_1 (and (x) (not (z))))\n'
     '(allow b_typeattr_1 z (c (p)))\n'),
    (DIFFERENT, '(type a)\n', 'type a;\n'),
)


ATTRIBUTES = 'attribute x;\nattribute y;\nattribute z;\n' \
    'typeattribute a x, y, z;\ntypeattribute b x, y;\n'
CIL_ATTRIBUTES = '(typeattribute x)\n(typeattribute y)\n(typeattribute z)\n' \
    '(typeattributeset x (a b))\n(typeattributeset y (b a))\n' \
    '(typeattributeset z (a))\n'

# With --optimised: names with the same types are one.
OPTIMISED = (
    (SAME, 'allow x t:c { p };\n', 'allow y t:c { p };\n'),
    (SAME, 'allow x t:c { p };\nallow y t:c { q };\n',
     'allow x t:c { q };\nallow y t:c { p };\n'),
    (SAME, 'allow z t:c { p };\n', 'allow a t:c { p };\n'),
    (SAME, 'allow z z:c { p };\n', 'allow a self:c { p };\n'),
    (DIFFERENT, 'allow x x:c { p };\n', 'allow x self:c { p };\n'),
    (DIFFERENT, 'allow x t:c { p };\n', 'allow z t:c { p };\n'),
    (DIFFERENT, 'allow x t:c { p };\n', 'allow y t:c { q };\n'),
    (SAME, 'if (b) {\n    allow t x:c { p };\n}\n',
     'if (b) {\n    allow t y:c { p };\n}\n'),
    (SAME, 'allowxperm x t:c ioctl { 0x1 };\n',
     'allowxperm y t:c ioctl { 0x1 };\n'),
    (SAME, '(allow x t (c (p)))\n', '(allow y t (c (p)))\n'),
    (SAME, '(allow z a (c (p)))\n', '(allow a self (c (p)))\n'),
    (DIFFERENT, '(allow x t (c (p)))\n', '(allow z t (c (p)))\n'),
)

# With --known: A lacks type t in role r.
KNOWN = (
    (SAME, 'role r types { s };\n', 'role r types { s t };\n'),
    (DIFFERENT, 'role r types { s };\n', 'role r types { s t u };\n'),
    (DIFFERENT, 'role r types { s };\n', 'role r types { s };\n\n'),
    (SAME, '(roletype r s)\n', '(roletype r s)\n(roletype r t)\n'),
    (DIFFERENT, '(roletype r s)\n', '(roletype r s)\n\n'),
)


def with_attributes(text):
    return (CIL_ATTRIBUTES if text[0] == '(' else ATTRIBUTES) + text


def all_cases():
    for same, a, b in CASES:
        yield same, a, b, {}
        yield same, b, a, {}
    for same, a, b in OPTIMISED:
        a, b = with_attributes(a), with_attributes(b)
        yield same, a, b, {'optimised': True}
        yield same, b, a, {'optimised': True}
        yield DIFFERENT, a, b, {}
    for same, a, b in KNOWN:
        yield same, a, b, {'known': [('r', 't')]}


def main():
    failed = passed = 0
    for same, a, b, options in all_cases():
        try:
            got = not text_diff.compare_texts(a, b, **options)
        except text_diff.FormatError as error:
            got = 'error: %s' % error if same else DIFFERENT
        if got is same:
            passed += 1
        else:
            failed += 1
            print('FAIL %r, %r, %r: same: %s' % (a, b, options, got))
    print('text-diff: %d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
