#!/usr/bin/env python3
"""setfiles.py DIRECTORY [SEED [COUNT]]: verdicts on files of file contexts.

Made-up files, right and broken, are given to mls-validate and to `setfiles -c`
under one policy.  What setfiles refuses has to have an error of ours; what it
accepts may have only errors that are listed here, with the reason.  The
programs are in the directory.
"""
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent

# Errors about what setfiles -c takes: what they report matches no file, or means
# something else than it says, or is refused by later versions of libselinux.
STRICTER = {"fc-path-start", "fc-placeholder", "label-too-long", "label-macro"}

PATHS = ["/srv/app", "/srv/app(/.*)?", "/srv/[^/]+/log", "/etc/a\\.conf", "/var/lib/x.*", "/usr/(local/)?bin/tool", "/dev/tty[0-9]+",
         "/opt/a\\-b", "/a{2,3}", "/x(?:y|z)", "/srv/app/", "/caf\\xe9", "/[[:alpha:]]+", "/a|/b", "HOME_DIR/.+", "/run/user/%{USERID}", "/"]
BROKEN_PATHS = ["/srv/[ab", "/srv/(a", "/srv/a)", "/a**b", "*/a", "/[z-a]", "/a\\", "/a{3,2}", "/[[:nope:]]", "+/srv/app", "srv/app",
                "/x(?y)", "/\\p{Nope}", "/(?<n>a)(?<n>b)", "/\u00e9", "/a(?"]
TYPES = ["", "", "", "--", "-d", "-l", "-c", "-b", "-s", "-p"]
BROKEN_TYPES = ["-f", "-", "---", "d", "-D", "-dd"]
CONTEXTS = ["sys_u:object_r:data_t:s0", "sys_u:object_r:log_t:s1:c0.c3", "staff_u:object_r:app_t:s0:c0", "<<none>>", "sys_u:sys_r:kern_t:s0-s1:c1",
            "sys_u:object_r:data_t:s0:c0,c2"]
BROKEN_CONTEXTS = ["sys_u:object_r:nope_t:s0", "nope_u:object_r:data_t:s0", "sys_u:nope_r:data_t:s0", "sys_u:object_r:data_t",
                   "sys_u:object_r:data_t:s0:c3", "sys_u:object_r:data_t:s1-s0", "sys_u:object_r:data_t:s9", "staff_u:sys_r:kern_t:s0",
                   "sys_u:object_r:data_t:s0:c0.c0", "<<nothing>>", "sys_u", "staff_u:staff_r:app_t:s1"]
BLANKS = ["\t", " ", "\t\t", "  ", " \t", "\v", "\f"]
ENDS = ["\n", "\n", "\n", "\r\n", " \n", "\t# end\n", "\n\n", "\n# comment\n"]


def made_line(rng, broken):
    pick = lambda good, bad: rng.choice(bad if broken and rng.random() < 0.4 else good)
    words = [pick(PATHS, BROKEN_PATHS), pick(TYPES, BROKEN_TYPES), pick(CONTEXTS, BROKEN_CONTEXTS)]
    if broken and rng.random() < 0.1:
        words.pop()
    if broken and rng.random() < 0.05:
        words.pop(0)
    line = rng.choice(BLANKS).join(word for word in words if word) + rng.choice(ENDS)
    return " " + line if rng.random() < 0.1 else line


def made_file(rng):
    """Broken or not; duplicates happen by themselves."""
    broken = rng.random() < 0.7
    text = "".join(made_line(rng, broken) for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.1:
        text = text.rstrip("\n")
    return text.encode("latin-1" if rng.random() < 0.5 else "utf-8")


def errors_of(program, policy, path):
    run = subprocess.run([program, "-p", policy, "files", "--as", "file_contexts", path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=60)
    names = set(re.findall(r": error: .* \[([a-z0-9-]+)\]$", run.stderr, flags=re.M))
    if run.returncode != (1 if names else 0):
        sys.exit("setfiles: mls-validate ends with %d: %s" % (run.returncode, run.stderr))
    return names, run.stderr


def refused(policy, path):
    run = subprocess.run(["setfiles", "-q", "-c", policy, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=60)
    return run.returncode != 0, run.stdout


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 600
    if not shutil.which("setfiles"):
        print("setfiles: not installed, nothing compared")
        return 0
    rng, failed, bad = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as work:
        policy, path = pathlib.Path(work, "policy"), pathlib.Path(work, "fc")
        subprocess.run([programs / "policy-compile", "-M", "-c", "33", "-o", policy, TOP / "testdata/validate/files/policy.conf"], check=True)
        for _ in range(count):
            path.write_bytes(made_file(rng))
            names, ours = errors_of(programs / "mls-validate", policy, path)
            no, theirs = refused(policy, path)
            bad += no
            if no == bool(names) or (names and names <= STRICTER):
                continue
            failed += 1
            print("FAIL: setfiles %s, we %s\n%r\n%s%s" % ("refuses" if no else "accepts", sorted(names) or "accept",
                                                          path.read_bytes(), ours, theirs))
    print("setfiles: %d files, %d refused, %d verdicts differ (seed %d)" % (count, bad, failed, seed))
    return 1 if failed or not 0 < bad < count else 0


if __name__ == "__main__":
    sys.exit(main())
