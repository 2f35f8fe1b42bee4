#!/usr/bin/env python3
"""queries.py [-s SEED] [-n COUNT] POLICY.CONF

Makes questions for init.c from a policy in the form that `checkpolicy -b -F`
writes: COUNT about access, COUNT contexts, and half as many new objects.  Half
of those about access are about a rule, so that the answer is not always no; a
third of the contexts have one part changed, which most often makes them wrong.
"""

import collections
import random
import re
import sys


class Policy:
    def __init__(self, text):
        self.classes = []
        self.types = []
        self.members = collections.defaultdict(list)   # attribute: types
        self.roles = collections.defaultdict(list)     # role: types
        self.users = {}                                # user: (roles, range)
        self.rules = []                                # (source, target, class)
        self.transitions = []                          # (..., name or '')
        self.categories = []
        self.sensitivities = []
        for line in text.splitlines():
            self.read(line.strip())
        self.types_with_role = collections.defaultdict(list)
        for role, types in sorted(self.roles.items()):
            for name in types:
                self.types_with_role[name].append(role)
        self.users_with_role = collections.defaultdict(list)
        for user, (roles, _) in sorted(self.users.items()):
            for role in roles:
                self.users_with_role[role].append(user)

    def read(self, line):
        word, _, rest = line.partition(' ')
        if word == 'class' and ' ' not in rest:
            self.classes.append(rest)
        elif word == 'type':
            self.types.append(rest.rstrip(';'))
        elif word == 'typeattribute':
            name, _, attributes = rest.rstrip(';').partition(' ')
            for attribute in attributes.split(', '):
                self.members[attribute].append(name)
        elif word == 'sensitivity':
            self.sensitivities.append(rest.split()[0].rstrip(';'))
        elif word == 'category':
            self.categories.append(rest.split()[0].rstrip(';'))
        elif word == 'role' and ' types { ' in rest:
            name, _, types = rest.partition(' types { ')
            self.roles[name] += types.rstrip(' };').split()
        elif word == 'user':
            self.read_user(rest)
        elif word in ('allow', 'dontaudit', 'auditallow') and ':' in rest:
            match = re.match(r'(\S+) (\S+):(\S+) ', rest)
            self.rules.append(match.groups())
        elif word == 'type_transition':
            match = re.match(r'(\S+) (\S+):(\S+) \S+(?: "([^" ]+)")?;', rest)
            if match:
                self.transitions.append(match.groups(''))

    def read_user(self, rest):
        match = re.match(r'(\S+) roles (?:\{ (.*?) \}|(\S+?))'
                         r'(?: level \S+ range (\S+) - (\S+))?;', rest)
        if match:
            name, many, one, low, high = match.groups()
            self.users[name] = ((many or one).split(),
                                (low, high) if low else None)


class Questions:
    def __init__(self, policy, seed):
        self.policy = policy
        self.random = random.Random(seed)

    def pick(self, things):
        return things[self.random.randrange(len(things))]

    def type_of(self, name):
        """A type that a name in a rule stands for."""
        members = self.policy.members.get(name)
        return self.pick(members) if members else name

    def level(self, user):
        span = self.policy.users[user][1]
        if span is None:
            return ''
        low, high = span
        return ':' + self.pick((low, high, low, low + '-' + high))

    def context(self, name, as_object):
        """A context with a type; with object_r when no role may have it."""
        policy = self.policy
        roles = [role for role in policy.types_with_role.get(name, ())
                 if policy.users_with_role.get(role)]
        if as_object or not roles:
            role, user = 'object_r', self.pick(sorted(policy.users))
        else:
            role = self.pick(roles)
            user = self.pick(policy.users_with_role[role])
        return '%s:%s:%s%s' % (user, role, name, self.level(user))

    def rule(self):
        """A source, a target and a class that a rule is about."""
        source, target, name = self.pick(self.policy.rules)
        source = self.type_of(source)
        target = source if target == 'self' else self.type_of(target)
        return source, target, name

    def random_triple(self):
        return (self.pick(self.policy.types), self.pick(self.policy.types),
                self.pick(self.policy.classes))

    def access(self):
        by_rule = self.policy.rules and self.random.random() < 0.5
        source, target, name = self.rule() if by_rule else self.random_triple()
        if source not in self.policy.types_with_role or \
                not self.policy.types:
            source = self.pick(self.policy.types)
        as_object = self.random.random() < 0.7
        return 'access %s %s %s' % (self.context(source, False),
                                    self.context(target, as_object), name)

    def create(self):
        name = ''
        if self.policy.transitions and self.random.random() < 0.7:
            source, target, kind, name = self.pick(self.policy.transitions)
        else:
            source, target, kind = self.random_triple()
        question = 'create %s %s %s %s' % (
            self.context(source, False), self.context(target, True), kind,
            name)
        return question.rstrip()

    def changed_level(self):
        policy = self.policy
        if not policy.sensitivities:
            return ':s0'
        level = self.pick(policy.sensitivities)
        if policy.categories:
            level += ':' + ','.join(self.pick(policy.categories)
                                    for _ in range(self.random.randint(1, 3)))
        return ':' + self.pick((level, '%s-%s' % (
            level, self.pick(policy.sensitivities))))

    def check(self):
        text = self.context(self.pick(self.policy.types),
                            self.random.random() < 0.3)
        if self.random.random() < 0.33:
            parts = text.split(':', 3)
            which = self.random.randrange(4)
            parts[0:3] = [
                self.pick(sorted(self.policy.users)) if which == 0
                else parts[0],
                self.pick(sorted(self.policy.roles)) if which == 1
                else parts[1],
                self.pick(self.policy.types + ['nosuch_t']) if which == 2
                else parts[2]]
            text = ':'.join(parts[:3])
            if which == 3:
                text += self.changed_level()
            elif len(parts) > 3:
                text += ':' + parts[3]
        return 'context ' + text


def main(arguments):
    seed, count, path = 1, 2000, None
    words = iter(arguments)
    for word in words:
        if word in ('-s', '-n'):
            value = next(words, '')
            if not value.isdigit():
                path = None
                break
            if word == '-s':
                seed = int(value)
            else:
                count = int(value)
        else:
            path = word
    if path is None:
        sys.stderr.write('usage: queries.py [-s SEED] [-n COUNT] POLICY.CONF\n')
        return 2
    with open(path, encoding='utf-8', errors='surrogateescape') as file:
        questions = Questions(Policy(file.read()), seed)
    lines = [questions.access() for _ in range(count)]
    lines += [questions.check() for _ in range(count)]
    lines += [questions.create() for _ in range(count // 2)]
    sys.stdout.write('\n'.join(lines) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
