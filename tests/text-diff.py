#!/usr/bin/env python3
"""text-diff.py [-n LIMIT] [--conf | --cil] [--optimised] [--known FILE] A B

Compares two policies written as text by `checkpolicy -b -F` (policy.conf) or
`checkpolicy -b -C` (CIL) by meaning: prints what differs and exits with 1.

Sets are compared as sets: statements, what stands in braces, attributes of a
type, roles of a user.  Order is compared where it is meaning: class, sid,
sensitivity and category declarations, permissions of a class, dominance,
portcon, nodecon, and genfscon within one file system.  Conditionals are
compared by truth table, so that !(a && b) with branches swapped is (b && a).

--optimised is for images made with -O.  Of two rules on sets of the same types
either may be left, so names with the same types are taken for one; a type and
an attribute with that type alone, too.

--known FILE has what A is known to lack, in lines `role R type T`.

What checkpolicy 3.4 does to the text, and what is done about it here:
- `# handle_unknown` is a comment that carries meaning: it is kept.
- A role with many types is written as several `role R types` statements of
  about 600 characters: they are united.
- Aliases of sensitivities and categories come in hash order.
- Labelling records and genfscon are sorted before they are written, so the
  order in the image does not show; sepol-compare looks at it.
- Not shown: names of types in constraints below version 29 (written as
  NO_IDENTIFIER), commons without a class, bounds of roles and users,
  default_range without MLS.  sepol-compare looks at these too.
- CIL made from source names its sets BASE_typeattr_N and BASE_roleattr_N in
  order of appearance: such a name is replaced by a digest of the set.
"""

import collections
import difflib
import hashlib
import itertools
import re
import sys

WIDTH = 200
TABLE_LIMIT = 14  # bools in one expression compared by truth table

BRACES = re.compile(r'\{ ([^{}]*) \}')
GENERATED = re.compile(r'\b[\w.]+_(?:type|role)attr_\d+\b')

# policy.conf statements compared as a sequence, keyed by their first word.
CONF_SEQUENCES = frozenset((
    'sid', 'sensitivity', 'category', 'portcon', 'nodecon'))
CIL_SEQUENCES = frozenset(('(portcon', '(nodecon'))
# Statements whose braces are not sets.
CONF_VERBATIM = frozenset(('class', 'common', 'dominance'))


class Policy:
    """The statements of one text, sorted into how they are compared."""

    def __init__(self):
        self.statements = collections.Counter()
        self.sequences = collections.defaultdict(list)
        self.conditionals = []  # (expression, true rules, false rules)


class FormatError(Exception):
    pass


# --- expressions of conditionals


OPERATORS = frozenset(('&&', '||', '^', '==', '!=', '!'))


def tokens_of(text):
    return re.findall(r'&&|\|\||[!=]=|[()!^]|[^\s()!^&|=]+', text)


def parse_conf_expression(text):
    """Postfix form of the fully parenthesised form that checkpolicy writes:
    a binary operation has its own parentheses, `!` takes all to its right."""
    tokens = tokens_of(text)
    output, pending = [], []
    for token in tokens:
        if token == '(':
            pending.append(token)
        elif token == ')':
            while pending and pending[-1] != '(':
                output.append(pending.pop())
            if not pending:
                raise FormatError('unbalanced expression: ' + text)
            pending.pop()
        elif token == '!':
            pending.append('!')
        elif token in OPERATORS:
            while pending and pending[-1] == '!':
                output.append(pending.pop())
            pending.append(token)
        else:
            output.append(token)
    while pending:
        output.append(pending.pop())
    return output


CIL_OPERATORS = {'and': '&&', 'or': '||', 'xor': '^', 'eq': '==',
                 'neq': '!=', 'not': '!'}


def parse_cil_expression(text):
    output = []

    def walk(node):
        if isinstance(node, str):
            output.append(node)
            return
        if not node or node[0] not in CIL_OPERATORS:
            raise FormatError('unknown expression: ' + text)
        for operand in node[1:]:
            walk(operand)
        output.append(CIL_OPERATORS[node[0]])

    nodes = parse_cil(text)
    if len(nodes) != 1:
        raise FormatError('unknown expression: ' + text)
    walk(nodes[0])
    return output


def column_of(index, rows):
    """The truth table of the variable INDEX: one bit a row, and the variables
    count in binary."""
    period = 1 << index
    column, filled = ((1 << period) - 1) << period, 2 * period
    while filled < rows:
        column |= column << filled
        filled *= 2
    return column


def truth_table(postfix, variables):
    rows = 1 << len(variables)
    ones = (1 << rows) - 1
    columns = {name: column_of(index, rows)
               for index, name in enumerate(variables)}
    stack = []
    for token in postfix:
        if token in columns:
            stack.append(columns[token])
        elif token == '!':
            stack.append(ones & ~stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            if token == '&&':
                stack.append(left & right)
            elif token == '||':
                stack.append(left | right)
            elif token == '==':
                stack.append(ones & ~(left ^ right))
            else:
                stack.append(left ^ right)
    if len(stack) != 1:
        raise FormatError('unbalanced expression')
    return stack[0]


def canonical_expression(postfix):
    """A key equal for equivalent expressions, and whether the branches swap:
    an expression that holds with all bools false is negated.  Bools that do
    not matter are left out."""
    variables = sorted(set(postfix) - OPERATORS)
    if len(variables) > TABLE_LIMIT:
        return ('text',) + tuple(postfix), False
    table = truth_table(postfix, variables)
    rows = 1 << len(variables)
    needed = []
    for index in range(len(variables)):
        column = column_of(index, rows)
        if (table & column) >> (1 << index) != table & ~column:
            needed.append(index)
    short = 0
    for row in range(1 << len(needed)):
        full = sum(1 << index for bit, index in enumerate(needed)
                   if row >> bit & 1)
        short |= (table >> full & 1) << row
    swap = bool(short & 1)
    if swap:
        short ^= (1 << (1 << len(needed))) - 1
    return (tuple(variables[index] for index in needed), short), swap


# --- policy.conf


def parse_conf(text, known=()):
    policy = Policy()
    statements, sequences = policy.statements, policy.sequences
    role_types = collections.defaultdict(set)
    branch, conditional = None, None
    for line in text.split('\n'):
        if branch is not None:
            stripped = line.strip()
            if stripped == '}':
                policy.conditionals.append(conditional)
                branch = None
            elif stripped == '} else {':
                branch = conditional[2]
            else:
                branch.append(stripped)
            continue
        word = line.split(' ', 1)[0]
        if word == 'if':
            if not line.startswith('if (') or not line.endswith(') {'):
                raise FormatError('unknown conditional: ' + line)
            conditional = (line[4:-3], [], [])
            branch = conditional[1]
        elif word in CONF_SEQUENCES:
            sequences[word].append(line)
        elif word == 'class' and line.count(' ') == 1:
            sequences['class'].append(line)
        elif word == 'genfscon':
            sequences['genfscon ' + line.split(' ', 2)[1]].append(line)
        elif word == 'role' and ' types { ' in line:
            name, _, types = line[5:].partition(' types { ')
            role_types[name].update(types[:-3].split())
        elif not word or word.startswith('libsepol.'):
            continue
        elif word[0] == '#':
            if line.startswith('# handle_unknown'):
                statements[line] += 1
        else:
            statements[line] += 1
    if branch is not None:
        raise FormatError('the text ends within a conditional')
    for role, name in known:
        role_types[role].add(name)
    for name, types in role_types.items():
        statements['role %s types { %s };' %
                   (name, ' '.join(sorted(types)))] += 1
    return policy


def normalise_conf(line):
    word = line.split(' ', 1)[0]
    if word in CONF_VERBATIM or line.startswith('# '):
        return line
    if word == 'typeattribute':
        name, _, attributes = line[14:].rstrip(';').partition(' ')
        return 'typeattribute %s %s;' % (
            name, ', '.join(sorted(attributes.split(', '))))
    if '{' in line:
        return BRACES.sub(
            lambda m: '{ %s }' % ' '.join(sorted(set(m.group(1).split()))),
            line)
    return line


# --- CIL


def parse_cil(text):
    """S-expressions as nested lists; strings keep their quotes."""
    stack = [[]]
    for token in re.findall(r'"[^"]*"|[()]|[^\s()"]+', text):
        if token == '(':
            stack.append([])
        elif token == ')':
            if len(stack) < 2:
                raise FormatError('unbalanced: ' + text[:WIDTH])
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        raise FormatError('unbalanced: ' + text[:WIDTH])
    return stack[0]


def cil_text(node):
    if isinstance(node, str):
        return node
    return '(%s)' % ' '.join([cil_text(part) for part in node])


def is_flat(node):
    return isinstance(node, list) and all(isinstance(x, str) for x in node)


def sort_names(node):
    """Sorts the list in each (eq t1 (name...)) of a constraint expression."""
    if isinstance(node, str):
        return node
    if node[0] in ('eq', 'neq') and len(node) == 3 and is_flat(node[2]):
        return node[:2] + [sorted(node[2])]
    return [sort_names(part) for part in node]


def sort_permissions(node):
    """(class (permission...)); anything else stays as it is."""
    if isinstance(node, list) and len(node) == 2 and is_flat(node[1]):
        return [node[0], sorted(node[1])]
    return node


CIL_RULES = frozenset(('allow', 'auditallow', 'dontaudit', 'neverallow'))
CIL_CONSTRAINTS = frozenset(('constrain', 'mlsconstrain'))
CIL_TRANSITIONS = frozenset(('validatetrans', 'mlsvalidatetrans'))
CIL_SETS = frozenset(('typeattributeset', 'roleattributeset'))
CIL_SET_OPERATORS = frozenset(('and', 'or', 'xor', 'not', 'all', 'range'))


def normalise_cil(line):
    nodes = parse_cil(line)
    if len(nodes) != 1 or not isinstance(nodes[0], list) or not nodes[0]:
        raise FormatError('unknown statement: ' + line[:WIDTH])
    node = nodes[0]
    if node[0] in CIL_RULES and len(node) == 4:
        node[3] = sort_permissions(node[3])
    elif node[0] in CIL_CONSTRAINTS and len(node) == 3:
        node[1:] = sort_permissions(node[1]), sort_names(node[2])
    elif node[0] in CIL_TRANSITIONS and len(node) == 3:
        node[2] = sort_names(node[2])
    elif (node[0] in CIL_SETS and len(node) == 3 and is_flat(node[2]) and
          node[2] and node[2][0] not in CIL_SET_OPERATORS):
        node[2] = sorted(node[2])
    return cil_text(node)


def name_by_content(text):
    """Replaces generated names of sets by a digest of what is in them."""
    if not GENERATED.search(text):
        return text
    definitions = collections.defaultdict(list)
    for line in text.split('\n'):
        match = re.match(r'\s*\((?:type|role)attributeset (\S+) ', line)
        if match and GENERATED.fullmatch(match.group(1)):
            definitions[match.group(1)].append(line[match.end():])
    digests = {}

    def digest(name, depth):
        if name not in digests:
            content = []
            for definition in definitions.get(name, ()):
                if depth < 16:
                    definition = GENERATED.sub(
                        lambda m: digest(m.group(0), depth + 1), definition)
                content.append(' '.join(definition.split()))
            whole = '\n'.join(sorted(content)).encode('utf-8', 'replace')
            digests[name] = 'set_' + hashlib.sha1(whole).hexdigest()[:12]
        return digests[name]

    return GENERATED.sub(lambda m: digest(m.group(0), 0), text)


def read_cil(text, known=()):
    policy = Policy()
    statements, sequences = policy.statements, policy.sequences
    prefix = []  # headers of the blocks around
    conditional, branch = None, None
    for line in name_by_content(text).split('\n'):
        if line[:1] == ' ':
            line = line.strip()
        if not line or line[0] == ';' or line.startswith('libsepol.'):
            continue
        if conditional is not None:
            if line in ('(true', '(false'):
                branch = conditional[1 if line == '(true' else 2]
            elif line == ')':
                if branch is None:
                    policy.conditionals.append(conditional)
                    conditional = None
                branch = None
            elif branch is not None:
                branch.append(line)
            else:
                raise FormatError('unknown line in a conditional: ' + line)
            continue
        word = line.split(' ', 1)[0]
        if word == '(booleanif' or word == '(tunableif':
            conditional = (line.split(' ', 1)[1], [], [])
        elif word in ('(optional', '(block', '(in'):
            prefix.append(line)
        elif line == ')':
            if not prefix:
                raise FormatError('unbalanced: )')
            prefix.pop()
        elif prefix:
            statements[' '.join(prefix + [line])] += 1
        elif word in CIL_SEQUENCES:
            sequences[word[1:]].append(line)
        elif word == '(genfscon':
            sequences['genfscon ' + line.split(' ', 2)[1]].append(line)
        else:
            statements[line] += 1
    if conditional is not None or prefix:
        raise FormatError('the text ends within a block')
    for role_and_type in known:
        statements['(roletype %s %s)' % role_and_type] = 1
    return policy


# --- comparing


class Format:
    """RULE takes a rule apart: kind, source, target, class, permissions;
    XPERM_RULE: kind, source, target, the rest.  MEMBERS finds who is in an
    attribute in a statement: one name, and a list that belongs to it."""

    def __init__(self, parse, normalise, expression, patterns):
        self.parse = parse
        self.normalise = normalise
        self.expression = expression
        self.rule, self.xperm_rule, self.attribute, self.members = [
            re.compile(pattern) for pattern in patterns]


def normalise_cil_safely(line):
    # A statement within a block carries the block's header in front.
    try:
        return normalise_cil(line)
    except FormatError:
        return line


CONF = Format(parse_conf, normalise_conf, parse_conf_expression, (
    r'(allow|auditallow|dontaudit) (\S+) (\S+):(\S+) \{ (.*) \};',
    r'(\w+xperm) (\S+) (\S+):(.*)',
    r'attribute (\S+);',
    r'typeattribute (?P<type>\S+) (?P<attributes>.*);'))
CIL = Format(read_cil, normalise_cil_safely, parse_cil_expression, (
    r'\((allow|auditallow|dontaudit) (\S+) (\S+) \((\S+) \((.*)\)\)\)',
    r'\((\w+x) (\S+) (\S+) (.*)',
    r'\(typeattribute (\S+)\)',
    r'\(typeattributeset (?P<attribute>\S+) \((?P<types>[^()]*)\)\)'))


def format_of(text):
    for line in itertools.islice(text.split('\n'), 50):
        if line and not line.startswith('libsepol.'):
            return CIL if line[0] in '(;' else CONF
    return CONF


class Names:
    """What stands for an attribute in rules when names with the same types are
    one: the first by name, or the type of an attribute with one."""

    def __init__(self, policy=None, form=None):
        self.attributes = {}
        self.other = {}
        if policy is None:
            return
        for line in policy.statements:
            match = form.attribute.fullmatch(line)
            if match:
                self.attributes.setdefault(match.group(1), set())
        for line in policy.statements:
            match = form.members.fullmatch(line)
            if match:
                self.add_members(**match.groupdict())
        first = {}
        for name in sorted(self.attributes):
            types = frozenset(self.attributes[name])
            self.other[name] = (next(iter(types)) if len(types) == 1
                                else first.setdefault(types, name))

    def add_members(self, type=None, attributes=None, attribute=None,
                    types=None):
        if attributes is not None:
            for attribute in attributes.split(', '):
                self.attributes[attribute].add(type)
        else:
            self.attributes[attribute].update(types.split())

    def of(self, source, target):
        source = self.other.get(source, source)
        target = self.other.get(target, target)
        if source == target and source not in self.attributes:
            target = 'self'
        return source, target


def united_rules(lines, form, names):
    """The lines, normalised; permissions are united by kind, source, target
    and class."""
    sets, others = collections.defaultdict(set), []
    for line in lines:
        match = form.rule.fullmatch(line)
        if match:
            kind, source, target, name, permissions = match.groups()
            source, target = names.of(source, target)
            sets[kind, source, target, name].update(permissions.split())
            continue
        match = form.xperm_rule.fullmatch(line)
        if match:
            kind, source, target, rest = match.groups()
            line = '%s %s %s:%s' % ((kind,) + names.of(source, target) +
                                    (rest,))
        else:
            line = form.normalise(line)
        others.append(line)
    return others + ['%s %s %s:%s { %s }' % (key + (' '.join(sorted(value)),))
                     for key, value in sets.items()]


def merged_conditionals(conditionals, form, names):
    merged = {}
    for expression, true, false in conditionals:
        key, swap = canonical_expression(form.expression(expression))
        if swap:
            true, false = false, true
        entry = merged.setdefault(
            key, [('not (%s)' if swap else '%s') % expression, [], []])
        entry[1] += true
        entry[2] += false
    for key in list(merged):
        name, true, false = merged[key]
        true = set(united_rules(true, form, names))
        false = set(united_rules(false, form, names))
        if true or false:
            merged[key] = (name, true, false)
        else:
            del merged[key]
    return merged


def compare_conditionals(a, b, form, names_a, names_b):
    """Yields (sign, line)."""
    counts = collections.Counter()
    for sign, conditionals in ((1, a), (-1, b)):
        for expression, true, false in conditionals:
            counts[expression, tuple(true), tuple(false)] += sign
    if not any(counts.values()):
        return
    # Equal texts may stand apart in one policy: all are needed to unite them.
    left = merged_conditionals(a, form, names_a)
    right = merged_conditionals(b, form, names_b)
    for key in sorted(set(left) | set(right), key=repr):
        one, two = left.get(key), right.get(key)
        name = (one or two)[0]
        if one is None or two is None:
            yield '+' if one is None else '-', 'if (%s) ...' % name
        for index, branch in ((1, 'true'), (2, 'false')):
            rules = one[index] if one else set(), two[index] if two else set()
            for line in sorted(rules[0] ^ rules[1]):
                yield ('-' if line in rules[0] else '+',
                       'if (%s) %s: %s' % (name, branch, line))


def compare_statements(a, b, normalise):
    rest_a, rest_b = a - b, b - a
    if not rest_a and not rest_b:
        return
    counts = collections.Counter()
    for sign, rest in ((1, rest_a), (-1, rest_b)):
        for line, count in rest.items():
            counts[normalise(line)] += sign * count
    for line in sorted(counts):
        count = counts[line]
        for _ in range(abs(count)):
            yield '-' if count > 0 else '+', line


def compare_sequences(a, b, normalise):
    for kind in sorted(set(a) | set(b)):
        left, right = a.get(kind, []), b.get(kind, [])
        if left == right:
            continue
        left = [normalise(line) for line in left]
        right = [normalise(line) for line in right]
        if left == right:
            continue
        if collections.Counter(left) == collections.Counter(right):
            yield ' ', '%s: the same statements in another order' % kind
        for line in difflib.unified_diff(left, right, lineterm='', n=1):
            if not line.startswith(('---', '+++', '@@')):
                yield line[0], line[1:]


def compare_texts(a, b, form=None, optimised=False, known=()):
    """The differences as a list of (sign, line); a and b are whole texts."""
    if a == b:
        return []
    form = form or format_of(a or b)
    one, two = form.parse(a, known), form.parse(b)
    differences = list(compare_sequences(one.sequences, two.sequences,
                                         form.normalise))
    names = Names(), Names()
    if optimised:
        names = Names(one, form), Names(two, form)
        for policy, own in zip((one, two), names):
            policy.statements = collections.Counter(
                united_rules(policy.statements.elements(), form, own))
    differences += compare_statements(
        one.statements, two.statements,
        (lambda line: line) if optimised else form.normalise)
    differences += compare_conditionals(one.conditionals, two.conditionals,
                                        form, *names)
    return differences


def abridged(differences):
    """Lines to print: a long one is cut down to where it differs."""
    for index, (sign, line) in enumerate(differences):
        if len(line) <= WIDTH:
            yield sign + line
            continue
        start = 0
        for other in differences[max(index - 1, 0):index + 2]:
            if other[0] != sign and other[1] != line:
                start = max(start, common_length(line, other[1]))
        if start <= WIDTH // 2:
            yield '%s%s...' % (sign, line[:WIDTH])
        else:
            head, tail = line[:60], line[start - 30:start - 30 + WIDTH - 60]
            yield '%s%s ... %s...' % (sign, head, tail)


def common_length(a, b):
    """How many first characters are the same."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def report(name_a, name_b, differences, limit, out):
    out.write('--- %s\n+++ %s\n' % (name_a, name_b))
    for line in abridged(differences[:limit]):
        out.write(line + '\n')
    if len(differences) > limit:
        out.write('... %d more\n' % (len(differences) - limit))


def read(path):
    with open(path, encoding='utf-8', errors='surrogateescape',
              newline='\n') as file:
        return file.read()


def read_known(path):
    return [tuple(line.split()[1::2]) for line in read(path).splitlines()
            if line.startswith('role ')]


def main(arguments):
    usage = ('usage: text-diff.py [-n LIMIT] [--conf | --cil] [--optimised] '
             '[--known FILE] A B\n')
    limit, form, optimised, known, paths = '40', None, False, None, []
    words = iter(arguments)
    for word in words:
        if word == '-n':
            limit = next(words, '')
        elif word == '--known':
            known = next(words, '')
        elif word in ('--conf', '--cil'):
            form = CONF if word == '--conf' else CIL
        elif word == '--optimised':
            optimised = True
        else:
            paths.append(word)
    if len(paths) != 2 or not limit.isdigit():
        sys.stderr.write(usage)
        return 2
    try:
        a, b = read(paths[0]), read(paths[1])
        if not a.strip() or not b.strip():
            raise FormatError('an empty text is no policy')
        differences = compare_texts(a, b, form, optimised,
                                    read_known(known) if known else ())
    except (OSError, FormatError) as error:
        sys.stderr.write('text-diff: %s\n' % error)
        return 2
    if not differences:
        return 0
    sys.stdout.reconfigure(errors='surrogateescape')
    report(paths[0], paths[1], differences, int(limit), sys.stdout)
    return 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
