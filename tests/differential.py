#!/usr/bin/env python3
"""differential.py TMP COMPILER [CASE]...   (run by differential.sh)

For each case NAME.conf, with the options in NAME.flags:

- COMPILER and the reference agree on whether it is a policy;
- if it is, the images of both are equal: as policy.conf and as CIL, written by
  `checkpolicy -b -F` and `-b -C` and compared by text-diff.py, at versions 33,
  30, 26 and 24, plain and with -O, and at 15 to 19; and by sepol-compare, which
  reads both with libsepol, at these and at 20 to 23, where there is no text;
- a case with -c N is compared at version N only, one with -E at 33 only.

The reference compiles the source once and turns that image into the older
versions with `checkpolicy -b -c N`: the result is the same as from the source
but for role and range transitions below version 26 and 21, which checkpolicy
loses on the way from the source.

testdata/DIFFERENCES.md lists the cases that are meant to differ, in tables; the
first column has the name, which is the path below testdata/golden without
.conf.  A table with the columns 3.4, 3.11 and ours has the verdicts, accept,
reject or crash, and these must be what comes out.  In another table the first
word of the second column says whose image differs from ours: 3.4, 3.11 or both.
A listed case that does not differ is a failure.
"""

import concurrent.futures
import importlib.util
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
GOLDEN = os.path.join(TOP, 'testdata', 'golden')
EXAMPLE = os.path.join(TOP, 'testdata', 'example', 'policy.conf')
LIST = os.path.join(TOP, 'testdata', 'DIFFERENCES.md')

NEWEST = 33
TEXT_VERSIONS = (33, 30, 26, 24)
BELOW = (23, 22, 21, 20, 19, 18, 17, 16, 15)
XEN_VERSIONS = (30, 24)
FIRST_WITH_NAMED_ATTRIBUTES = 24
LAST_EXPANDED = 19
FIRST_WITH_MLS = 19
SECONDS = 120
SHOWN = 6        # lines of one comparison
SHOWN_OF_CASE = 24

ACCEPT, REJECT, CRASH = 'accept', 'reject', 'crash'


def load_text_diff():
    spec = importlib.util.spec_from_file_location(
        'text_diff', os.path.join(HERE, 'text-diff.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


text_diff = load_text_diff()


def without_own_options(flags):
    """Less those that only we have: about findings, not about the policy."""
    kept = [flag for i, flag in enumerate(flags)
            if '-W' not in (flag, flags[i - 1] if i else '')]
    return [flag for flag in kept if not flag.startswith('--format=')]


def without_reports(flags):
    """Less those that judge a policy by more than the language does."""
    kept = [flag for i, flag in enumerate(flags)
            if flag != 'error=optional-dropped' and
            flags[i + 1:i + 2] != ['error=optional-dropped']]
    return [flag for flag in kept
            if not flag.startswith(('--kernel=', '--report=',
                                    '--optional-allowed='))]


class Case:
    def __init__(self, name, path):
        self.name = name
        self.path = path
        self.flags = []
        flags = path[:-len('.conf')] + '.flags'
        if os.path.exists(flags):
            with open(flags, encoding='utf-8') as file:
                self.flags = without_reports(file.readline().split())
        elif path == EXAMPLE:
            self.flags = ['-M']

    def value_of(self, option):
        """The word after OPTION, or None."""
        if option in self.flags[:-1]:
            return self.flags[self.flags.index(option) + 1]
        return None

    def flags_without_version(self):
        flags = list(self.flags)
        if self.value_of('-c') is not None:
            index = flags.index('-c')
            del flags[index:index + 2]
        return flags

    def is_xen(self):
        return (self.value_of('-t') or '').lower() == 'xen'

    def versions(self):
        """(version, with -O) of each comparison; the first is the main one."""
        asked = self.value_of('-c')
        if asked is not None:
            digits = re.match(r'\d+', asked)
            return [(int(digits.group()) if digits else NEWEST, False)]
        if '-E' in self.flags:
            return [(NEWEST, False)]
        if self.is_xen():
            return [(version, False) for version in XEN_VERSIONS]
        if '-O' in self.flags:  # checkpolicy cannot do it at 20 to 23
            return [(version, False) for version in TEXT_VERSIONS]
        versions = [(version, False) for version in TEXT_VERSIONS + BELOW
                    if version >= FIRST_WITH_MLS or '-M' not in self.flags]
        return versions + [(version, True) for version in TEXT_VERSIONS]


class Result:
    """What came of one case."""

    def __init__(self, case):
        self.case = case
        self.verdicts = {}     # 'ours' and 'reference'
        self.said = ''         # our first message
        self.differences = []  # may be listed
        self.faults = []       # may not


def run(command, directory=None):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, cwd=directory,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 124, b'', b'no end after %d seconds' % SECONDS
    return done.returncode, done.stdout, done.stderr


def first_line(text):
    lines = text.decode('utf-8', 'replace').strip().splitlines()
    return lines[0] if lines else '(no message)'


class Comparison:
    """One case in a directory of its own."""

    def __init__(self, session, case, work):
        self.session = session
        self.case = case
        self.work = work
        self.result = Result(case)

    def file(self, name):
        return os.path.join(self.work, name)

    def compile(self, program, flags, image):
        """Whether there is an image, and what the program said."""
        if os.path.exists(image):
            os.remove(image)
        directory, name = os.path.split(self.case.path)
        status, out, err = run([program] + flags + ['-o', image, name],
                               directory)
        return status, (out + err if status else err)

    def compile_ours(self, more):
        """The image or None, and what we said; MORE are further options."""
        image = self.file('ours')
        status, said = self.compile(self.session.compiler, more, image)
        if status not in (0, 1):
            self.fault('exit status %d: %s' % (status, first_line(said)))
        elif status and os.path.exists(image):
            self.fault('a file is left after an error')
        return image if status == 0 else None, said

    def compile_reference(self, more, name):
        """The image or None, and the verdict."""
        image = self.file(name)
        status, _ = self.compile(self.session.reference,
                                 without_own_options(more), image)
        if status == 0:
            return image, ACCEPT
        return None, CRASH if status < 0 else REJECT

    def at(self, version, optimise=False):
        """The options of the case for another version."""
        return (self.case.flags_without_version() + ['-c', str(version)] +
                ['-O'] * optimise)

    def convert(self, image, version):
        """The reference's image at another version, or None."""
        converted = self.file('converted')
        mls = ['-M'] if '-M' in self.case.flags else []
        status, _, _ = run([self.session.reference, '-b'] + mls +
                           ['-c', str(version), '-o', converted, image])
        return converted if status == 0 else None

    def text_of(self, image, option, name):
        path = self.file(name)
        mls = ['-M'] if '-M' in self.case.flags else []
        status, _, err = run([self.session.reference, '-b'] + mls +
                             [option, '-o', path, image])
        if status:
            return None, first_line(err)
        return text_diff.read(path), None

    def fault(self, what):
        if what not in self.result.faults:
            self.result.faults.append(what)

    def differ(self, label, lines):
        self.result.differences.append(label)
        self.result.differences += ['  ' + line for line in lines[:SHOWN]]
        if len(lines) > SHOWN:
            self.result.differences.append('  ... %d more' %
                                           (len(lines) - SHOWN))

    def compare_text(self, ours, reference, option, label):
        b, why = self.text_of(ours, option, 'ours.text')
        if b is None:
            self.differ('%s %s: the reference cannot read our image: %s' % (
                label, option, why), [])
            return
        a, why = self.text_of(reference, option, 'reference.text')
        if a is None:
            self.differ('%s %s: the reference cannot read its own image: %s' %
                        (label, option, why), [])
            return
        try:
            found = text_diff.compare_texts(a, b, optimised='-O' in label or
                                            '-O' in self.case.flags)
        except text_diff.FormatError as error:
            self.differ('%s %s: %s' % (label, option, error), [])
            return
        if found:
            self.differ('%s %s: - reference, + ours' % (label, option),
                        list(text_diff.abridged(found)))

    def compare_with_libsepol(self, ours, reference, label):
        status, out, err = run([self.session.sepol_compare, '-n', '100', '-s',
                                self.session.seed, reference, ours])
        if status:
            lines = (out + err).decode('utf-8', 'replace').splitlines()
            if status not in (1, 2):
                lines.append('exit status %d' % status)
            self.differ('%s libsepol: - reference, + ours' % label, lines)

    def compare_at(self, version, optimise, main_image):
        label = 'version %d%s' % (version, ' -O' if optimise else '')
        reference = main_image
        if main_image and image_version(main_image) != version:
            reference = self.convert(main_image, version)
        ours, said = self.compile_ours(self.at(version, optimise))
        if ours is None or reference is None:
            if ours:
                self.differ(label + ': only the reference refuses', [])
            elif reference:
                self.differ('%s: only we refuse: %s' %
                            (label, first_line(said)), [])
            return
        if image_version(ours) != version:
            self.fault('%s: the image has version %d' %
                       (label, image_version(ours)))
        if (version >= FIRST_WITH_NAMED_ATTRIBUTES or
                version <= LAST_EXPANDED):
            for option in ('-F', '-C'):
                self.compare_text(ours, reference, option, label)
        if version <= NEWEST:
            self.compare_with_libsepol(ours, reference, label)

    def compare_images(self, image):
        """IMAGE is the reference's, made with the options of the case."""
        versions = self.case.versions()
        optimised = None
        if image_version(image) < versions[0][0]:
            image, _ = self.compile_reference(self.at(versions[0][0]),
                                              'reference')
        if any(optimise for _, optimise in versions):
            optimised, _ = self.compile_reference(
                self.at(versions[0][0], True), 'reference-O')
        for version, optimise in versions:
            self.compare_at(version, optimise,
                            optimised if optimise else image)

    def compare_all(self):
        ours, said = self.compile_ours(self.case.flags)
        reference, verdict = self.compile_reference(self.case.flags,
                                                    'reference')
        self.result.verdicts = {'ours': ACCEPT if ours else REJECT,
                                'reference': verdict}
        self.result.said = first_line(said)
        if ours and reference:
            self.compare_images(reference)
        return self.result


class Session:
    def __init__(self, tmp, compiler):
        self.tmp = tmp
        self.compiler = compiler
        self.sepol_compare = os.path.join(tmp, 'sepol-compare')
        reference = os.environ.get('REFERENCE', 'checkpolicy')
        self.reference = shutil.which(reference)
        if self.reference is None:
            stop('no program %s' % reference)
        self.reference = os.path.abspath(self.reference)
        self.reference_name = self.name_reference()
        self.seed = os.environ.get('SEED', '1')

    def name_reference(self):
        """The column of the list that is about the reference."""
        _, out, _ = run([self.reference, '-V'])
        newest = out.split(None, 1)[:1]
        return {b'33': '3.4', b'35': '3.11'}.get(newest[0] if newest else b'',
                                                 'another')

    def compare(self, numbered_case):
        number, case = numbered_case
        work = os.path.join(self.tmp, str(number))
        os.mkdir(work)
        try:
            return Comparison(self, case, work).compare_all()
        finally:
            shutil.rmtree(work)


def stop(why):
    sys.stderr.write('differential: %s\n' % why)
    sys.exit(2)


def has_modules(name, names):
    """A base with modules is linked, which tests/modules.py compares."""
    return any(other.startswith(name[:-4]) and other.endswith('.module')
               for other in names)


def all_cases():
    cases = []
    for directory, _, names in os.walk(GOLDEN):
        for name in names:
            if name.endswith('.conf') and not has_modules(name, names):
                path = os.path.join(directory, name)
                cases.append(Case(os.path.relpath(path, GOLDEN)[:-5], path))
    if os.path.exists(EXAMPLE):
        cases.append(Case('example', EXAMPLE))
    return sorted(cases, key=lambda case: case.name)


def chosen_cases(words):
    known = all_cases()
    if not words:
        return known
    chosen = {}
    for word in words:
        path = os.path.abspath(word)
        found = [case for case in known if case.path == path]
        if not found and os.path.isfile(path) and path.endswith('.conf'):
            found = [Case(word[:-5], path)]
        if not found:
            found = [case for case in known if word in case.name]
        if not found:
            stop('no case %s' % word)
        chosen.update((case.path, case) for case in found)
    return sorted(chosen.values(), key=lambda case: case.name)


class Listed:
    """What the list says about cases."""

    def __init__(self):
        self.verdicts = {}  # name: {column: verdict}
        self.results = {}   # name: who differs: '3.4', '3.11' or 'both'
        columns = []
        if not os.path.exists(LIST):
            return
        with open(LIST, encoding='utf-8') as file:
            for line in file:
                cells = [cell.strip().strip('`')
                         for cell in line.strip().split('|')][1:-1]
                if not cells:
                    columns = []
                elif cells[0] == 'case':
                    columns = cells
                elif columns and cells[0].strip(':- '):
                    self.add(dict(zip(columns, cells)), cells)

    def add(self, row, cells):
        if 'ours' in row:
            self.verdicts[cells[0]] = row
        else:
            self.results[cells[0]] = (cells[1:2] or [''])[0].split(' ', 1)[0]

    def names(self):
        return sorted(set(self.verdicts) | set(self.results))

    def expects_difference(self, name, reference):
        return self.results.get(name) in ('both', reference)


def unknown_names(names):
    """Listed names that are no case, neither golden nor of cases.sh."""
    known = {case.name for case in all_cases()}
    cases = os.path.join(TOP, 'testdata', 'cases')
    return [name for name in names if name not in known and
            not os.path.isdir(os.path.join(cases, name.split('/')[0]))]


def judge_verdicts(result, row, reference):
    """ROW is the case's in the list, or None."""
    ours = result.verdicts['ours']
    theirs = result.verdicts['reference']
    lines = []
    if row is None:
        if ours != theirs:
            lines.append('the reference: %s, we: %s: %s' %
                         (theirs, ours, result.said))
        return lines
    if row['ours'] != ours:
        lines.append('we: %s, DIFFERENCES.md has %s: %s' %
                     (ours, row['ours'], result.said))
    if reference in row and row[reference] != theirs:
        lines.append('the reference: %s, DIFFERENCES.md has %s' %
                     (theirs, row[reference]))
    if len({row[key] for key in ('3.4', '3.11', 'ours') if key in row}) == 1:
        lines.append('DIFFERENCES.md has three equal verdicts')
    return lines


def judge(result, listed, reference):
    """The lines to print about a case; none when it is as expected."""
    name = result.case.name
    lines = result.faults + judge_verdicts(
        result, listed.verdicts.get(name), reference)
    expected = listed.expects_difference(name, reference)
    if result.differences and not expected:
        lines += result.differences
    elif expected and not result.differences:
        lines.append('DIFFERENCES.md has another result, and there is none')
    return lines


def image_version(path):
    """The policy version in the header of an image."""
    with open(path, 'rb') as file:
        head = file.read(4096)
    length = int.from_bytes(head[4:8], 'little')
    return int.from_bytes(head[8 + length:12 + length], 'little')


def main():
    if len(sys.argv) < 3:
        sys.stderr.write('usage: differential.sh COMPILER [CASE]...\n')
        return 2
    tmp, compiler = sys.argv[1], shutil.which(sys.argv[2])
    if compiler is None:
        stop('no program %s' % sys.argv[2])
    sys.stdout.reconfigure(errors='backslashreplace')
    session = Session(tmp, os.path.abspath(compiler))
    cases = chosen_cases(sys.argv[3:])
    listed = Listed()
    jobs = int(os.environ.get('JOBS', '0')) or os.cpu_count() or 1
    failed = accepted = rejected = different = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(session.compare, enumerate(cases)):
            verdicts = list(result.verdicts.values())
            accepted += verdicts == [ACCEPT, ACCEPT]
            rejected += ACCEPT not in verdicts
            different += bool(result.differences)
            lines = judge(result, listed, session.reference_name)
            if lines:
                failed += 1
                print('FAIL %s' % result.case.name)
                for line in lines[:SHOWN_OF_CASE]:
                    print('  ' + line)
                if len(lines) > SHOWN_OF_CASE:
                    print('  ... %d more lines' %
                          (len(lines) - SHOWN_OF_CASE))
    if len(sys.argv) == 3:
        for name in unknown_names(listed.names()):
            failed += 1
            print('FAIL %s\n  is in DIFFERENCES.md and is no case' % name)
    print('differential: reference %s, seed %s; accepted by both %d, '
          'rejected by both %d, other verdict %d, other result %d' %
          (session.reference_name, session.seed, accepted, rejected,
           len(cases) - accepted - rejected, different))
    print('differential: %d passed, %d failed' % (len(cases) - failed, failed))
    if not cases:
        stop('no cases')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
