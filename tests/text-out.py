#!/usr/bin/env python3
"""text-out.py TMP COMPILER [CASE]...   (run by text-out.sh)

For each case that is accepted, with the options in its .flags:

- source -> image -> policy.conf -> image: the images are equal, byte by byte;
  of the image made canonical, too;
- the reference compiler accepts the policy.conf, unless it is too old for it;
- source -> CIL -> secilc: the image says the same as ours, both written as
  policy.conf and compared by text-diff.py, but for the order of labels, which
  secilc chooses, and for attributes that are expanded away.

Some cases go through images of old versions, too: see Sweep.

CONF and CIL below have the cases that are meant to differ, with the reason.  A
listed case that does not differ is a failure.
"""

import concurrent.futures
import glob
import importlib.util
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
NEWEST, SECILC_VERSION = '35', '33'
XEN_VERSION = '30'
SECONDS = 120
SHOWN = 8

# Names are paths below testdata, without .conf.
CONF = {
    'golden/bools/contents': 'auditdeny and dontaudit that leave nothing',
    'golden/bounds/dotted-role-orphan-N': 'no parent: source would not compile',
    'golden/constraints/expanded-attribute':
        'an image does not have the members of an attribute that is expanded away',
}
NO_AUDITDENY = 'CIL has no auditdeny'
UNUSED_COMMON = 'secilc drops a common that no class has'
CIL = {
    'golden/bounds/disabled-by-N': 'secilc has no -N for bounds',
    'golden/bounds/dotted-role-N': 'secilc has no -N for bounds',
    'golden/bounds/dotted-user-N': 'secilc has no -N for bounds',
    'golden/bounds/dotted-role-orphan-N': 'no parent: source would not compile',
    'golden/bounds/loop-without-rules': 'secilc wants no loop',
    'golden/bounds/self-bound': 'secilc wants no loop',
    'golden/cases/032-typebounds-loop-and-depth-self': 'secilc wants no loop',
    'cases/032-typebounds-loop-and-depth/self': 'secilc wants no loop',
    'golden/classes/common-permissions-32': UNUSED_COMMON,
    'golden/classes/unused-common': UNUSED_COMMON,
    'golden/lexer/words-without-meaning': 'other and notself are words of CIL, which secilc 3.4 does not know yet',
    'golden/roles/object-r-of-user': 'secilc takes object_r for granted',
    'golden/rules/auditdeny-all': NO_AUDITDENY,
    'golden/rules/dontaudit-and-auditdeny': NO_AUDITDENY,
    'golden/rules/kinds': NO_AUDITDENY,
    'golden/sets/auditdeny-forms': NO_AUDITDENY,
    'golden/rules/type-rule-only': 'secilc wants an allow rule',
}

# What checkpolicy 3.4 does not know.
NEWER = re.compile(
    r'^neveraudit |^netifcon [0-9*?]|^type fscon;|xperm .* nlmsg \{|^    \w*xperm |'
    r'^policycap (?!network_peer_controls|open_perms|extended_socket_class|'
    r'always_check_network|cgroup_seclabel|nnp_nosuid_transition|'
    r'genfs_seclabel_symlinks|ioctl_skip_cloexec)', re.M)
# What secilc 3.4 does not know.
NEWER_CIL = re.compile(
    r'typeneveraudit|\(nlmsg |^        \(\w*allowx |^        \(dontauditx |'
    r'^\(genfscon \S+ "[^"]*" [a-z]|^\(policycap (?!network_peer_controls|'
    r'open_perms|extended_socket_class|always_check_network|cgroup_seclabel|'
    r'nnp_nosuid_transition|genfs_seclabel_symlinks|ioctl_skip_cloexec)', re.M)


def load_text_diff():
    spec = importlib.util.spec_from_file_location(
        'text_diff', os.path.join(HERE, 'text-diff.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


text_diff = load_text_diff()


class Difference(Exception):
    """May be listed."""


class Fault(Exception):
    """May not."""


def run(command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Fault('no end after %d seconds: %s' % (SECONDS, ' '.join(command)))
    if done.returncode not in (0, 1, 255):
        raise Fault('status %d: %s' % (done.returncode, ' '.join(command)))
    return done


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def message_of(done):
    lines = (done.stderr or done.stdout).decode('utf-8', 'replace').splitlines()
    return '\n    '.join(lines[:SHOWN])


LABELS = re.compile(r'(?:genfscon|portcon|nodecon) ')


def without_order(text):
    lines = [line for line in text.decode('utf-8', 'replace').splitlines()
             if not line.startswith('expandattribute ')]
    labels = sorted(line for line in lines if LABELS.match(line))
    return '\n'.join([line for line in lines if not LABELS.match(line)] + labels) + '\n'


class Case:
    def __init__(self, session, path):
        self.session = session
        self.path = path
        self.name = os.path.relpath(path, os.path.join(TOP, 'testdata'))[:-len('.conf')]
        self.base = os.path.join(session.tmp, self.name.replace('/', '-'))
        flags = path[:-len('.conf')] + '.flags'
        words = []
        if os.path.exists(flags):
            with open(flags, encoding='utf-8') as file:
                words = file.readline().split()
        elif self.name.startswith('example/'):
            words = ['-M']
        self.xen = any(word.lower() == 'xen' for word in words)
        self.mls = ['-M'] if '-M' in words else []
        self.target = ['-t', 'xen'] if self.xen else []
        self.version = XEN_VERSION if self.xen else NEWEST
        unknown = words.index('-U') if '-U' in words else len(words)
        self.unknown = words[unknown:unknown + 2]
        self.checks = [word for word in words if word in ('-N',)]
        self.more = [word for word in words if word in ('-O', '-S')]
        self.demoted = []
        for index, word in enumerate(words[:-1]):
            if word == '-W' and words[index + 1].startswith('no-error='):
                self.demoted += words[index:index + 2]

    def source_flags(self):
        return (self.mls + self.target + self.unknown + self.checks + self.more +
                self.demoted)

    def compiler(self, arguments, to, source):
        done = run([self.session.compiler] + arguments + ['-o', to, source])
        return None if done.returncode == 0 else message_of(done)

    def needed(self, what, failure, kind=Difference):
        if failure is not None:
            raise kind('%s: %s' % (what, failure))

    def as_conf(self, image, to):
        self.needed('policy.conf of ' + os.path.basename(image),
                    self.compiler(self.mls + ['-b', '-F'], to, image))
        return read(to)

    def canonical(self, image):
        """Its own image, and that of its text, which is sorted throughout."""
        to, again = image + '.canonical', image + '.canonical2'
        self.needed('canonical image', self.compiler(
            self.mls + ['-b', '--canonical', '-c', self.version], to, image), Fault)
        self.as_conf(to, to + '.conf')
        self.needed('the text of the canonical image', self.compiler(
            self.again() + ['--canonical', '-c', self.version], again, to + '.conf'), Fault)
        if read(to) != read(again):
            raise Difference('the canonical image of the text is another one')

    def again(self):
        return self.mls + self.target + self.unknown + self.checks

    def check_conf(self):
        first, second = self.base + '.1', self.base + '.2'
        text = self.as_conf(first, self.base + '.1.conf')
        self.needed('the text does not compile', self.compiler(
            self.again() + ['-c', self.version], second, self.base + '.1.conf'))
        if read(first) != read(second):
            raise Difference('the image of the text is another one')
        self.canonical(first)
        self.check_reference(text.decode('utf-8', 'replace'), self.base + '.1.conf')

    def check_reference(self, text, path):
        if self.checks or NEWER.search(text):
            return
        version = XEN_VERSION if self.xen else SECILC_VERSION
        done = run([self.session.reference] + self.mls + self.target +
                   ['-c', version, '-o', self.base + '.reference', path])
        if done.returncode:
            raise Difference('the reference refuses the text: ' + message_of(done))

    def check_cil(self):
        text, image, ours = self.base + '.cil', self.base + '.3', self.base + '.4'
        version = XEN_VERSION if self.xen else SECILC_VERSION
        self.needed('CIL', self.compiler(self.source_flags() + ['-C'], text, self.path))
        if NEWER_CIL.search(read(text).decode('utf-8', 'replace')):
            return
        done = run([self.session.secilc, '-X', '0', '-Q', '-c', version,
                    '-f', os.devnull, '-o', image] + self.target + [text])
        if done.returncode:
            raise Difference('secilc: ' + message_of(done))
        self.needed('image', self.compiler(
            self.source_flags() + ['-c', version], ours, self.path), Fault)
        differences = text_diff.compare_texts(
            without_order(self.as_conf(ours, ours + '.conf')),
            without_order(self.as_conf(image, image + '.conf')))
        if differences:
            raise Difference('secilc makes another policy of it:' + ''.join(
                '\n    %s %s' % (sign, line[:160]) for sign, line in differences[:SHOWN]))

    def is_accepted(self):
        """The image of the source is there."""
        return self.compiler(self.source_flags() + ['-c', self.version],
                             self.base + '.1', self.path) is None

    def run(self):
        """(compared, complaints)"""
        complaints = []
        if not self.is_accepted():
            with open(self.path, 'rb') as file:
                if file.readline().strip() == b'# accept':
                    return False, ['does not compile: %s' % self.name]
            return False, []
        for known, check, form in ((CONF, self.check_conf, 'policy.conf'),
                                   (CIL, self.check_cil, 'CIL')):
            try:
                check()
                if self.name in known:
                    complaints.append('%s: listed, and does not differ' % form)
            except Difference as difference:
                if self.name not in known:
                    complaints.append('%s: %s' % (form, difference))
            except Fault as fault:
                complaints.append('%s: %s' % (form, fault))
        for path in glob.glob(glob.escape(self.base) + '.*'):
            os.remove(path)
        return True, complaints


# Each one lays out an image in a way of its own, or is the last before one.
SWEPT_VERSIONS = (15, 17, 19, 20, 22, 23)
SWEPT = ('bools', 'mls', 'roles', 'rules', 'types', 'users')
# The first that keeps attributes; below, their values are gaps.
ATTRIBUTES = 20
# From there to 23 an attribute has no name, and one that is expanded is a gap.
GAPS = {'golden/types/expandattribute': 'text does not have the gap'}


class Sweep(Case):
    """A case at one old version, if that can hold it.

    image -> policy.conf -> image is a fixpoint, byte by byte.  Where attributes are
    gaps the text does not have them, and the images need only be equal for
    `policy-query diff`.  secilc takes the CIL.
    """

    def __init__(self, session, path, old):
        super().__init__(session, path)
        self.version = str(old)
        self.base += '.v' + self.version

    def check_conf(self):
        first, second = self.base + '.1', self.base + '.2'
        self.as_conf(first, self.base + '.1.conf')
        self.needed('the text does not compile', self.compiler(
            self.again() + ['-c', self.version], second, self.base + '.1.conf'))
        keeps = int(self.version) >= ATTRIBUTES
        if read(first) == read(second):
            if keeps and self.name in GAPS:
                raise Fault('listed, and does not differ')
            return
        if keeps and self.name not in GAPS:
            raise Difference('the image of the text is another one')
        done = run([self.session.query, 'diff', first, second])
        if done.returncode:
            raise Difference('the text says something else:\n    ' + message_of(done))

    def check_cil(self):
        first, text = self.base + '.1', self.base + '.cil'
        self.needed('CIL', self.compiler(self.mls + ['-b', '-C'], text, first))
        done = run([self.session.secilc, '-X', '0', '-Q', '-c', SECILC_VERSION,
                    '-f', os.devnull, '-o', self.base + '.3', text])
        if done.returncode:
            raise Difference('secilc: ' + message_of(done))

    def run(self):
        if not self.is_accepted():
            return False, []
        complaints = []
        for known, check, form in ((CONF, self.check_conf, 'policy.conf'),
                                   (CIL, self.check_cil, 'CIL')):
            if self.name in known:
                continue
            try:
                check()
            except (Difference, Fault) as found:
                complaints.append('version %s, %s: %s' % (self.version, form, found))
        for path in glob.glob(glob.escape(self.base) + '.*'):
            os.remove(path)
        return True, complaints


class Session:
    def __init__(self, tmp, compiler):
        self.tmp = tmp
        self.compiler = os.path.abspath(compiler)
        self.query = os.path.join(os.path.dirname(self.compiler), 'policy-query')
        self.reference = os.environ.get('REFERENCE', 'checkpolicy')
        self.secilc = os.environ.get('SECILC', 'secilc')


def sources(wanted):
    """A rejected golden case is none; others are tried."""
    paths = (glob.glob(os.path.join(TOP, 'testdata', 'golden', '*', '*.conf')) +
             glob.glob(os.path.join(TOP, 'testdata', 'cases', '*', '*.conf')) +
             glob.glob(os.path.join(TOP, 'testdata', 'example', '*.conf')))
    for path in sorted(paths):
        if wanted and not any(text in path for text in wanted):
            continue
        with open(path, 'rb') as file:
            if file.readline().strip() != b'# reject':
                yield path


def swept(session, paths):
    for path in paths:
        parts = path.split(os.sep)
        if parts[-3] == 'golden' and parts[-2] in SWEPT:
            yield from (Sweep(session, path, old) for old in SWEPT_VERSIONS)


def run_all(cases):
    """Cases that were compared, cases that failed"""
    jobs = int(os.environ.get('JOBS') or os.cpu_count() or 2)
    compared, failed = [], 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as executor:
        for case, (done, complaints) in zip(cases, executor.map(lambda c: c.run(), cases)):
            if done:
                compared.append(case)
            if complaints:
                failed += 1
                print('FAIL %s' % case.name)
                for complaint in complaints:
                    print('  ' + complaint)
    return compared, failed


def main(arguments):
    session = Session(arguments[0], arguments[1])
    paths = list(sources(arguments[2:]))
    compared, failed = run_all([Case(session, path) for path in paths])
    print('text-out: %d cases, %d failed' % (len(compared), failed))
    old, old_failed = run_all(list(swept(session, paths)))
    print('text-out: %d images of old versions, %d failed' % (len(old), old_failed))
    if not arguments[2:]:
        for version in SWEPT_VERSIONS:
            if not any(case.version == str(version) for case in old):
                print('text-out: no image of version %d' % version)
                return 1
    return 1 if failed or old_failed or not compared else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
