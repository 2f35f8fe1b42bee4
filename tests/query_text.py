"""The rules that `policy-query diff --full` prints, expanded: for query-model.py and query-expand.py."""
import re
import subprocess

NAMES = r"(\{[^}]*\}|[^\s:{}]+)"
STATEMENT = re.compile(
    r"([+-]) (allow|auditallow|dontaudit|allowxperm) " + NAMES + " " + NAMES + ":" + NAMES
    + r" (?:ioctl )?" + NAMES + r";(?: \[ (.*) \]:(True|False))?$"
)


def words(text):
    return text.strip("{}").split()


def types(text, sets):
    """Type names of `name`, `{ name name }` or `{ attribute -name }`."""
    found, less = set(), set()
    for word in words(text):
        if word.startswith("-"):
            less |= sets[word[1:]]
        else:
            found |= sets[word]
    return found - less


def values(text):
    found = set()
    for word in words(text):
        low, _, high = word.partition("-")
        found |= set(range(int(low, 16), int(high or low, 16) + 1))
    return found


def run(program, old, new):
    done = subprocess.run([program, "diff", "--full", old, new], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"exit status {done.returncode}: {done.stderr}")
    return done.stdout


def changes(text, sets):
    """Yields sign, kind, class, condition, {(source, target)}, {permission}; sets: by sign, then name."""
    for line in text.splitlines():
        match = STATEMENT.match(line)
        if not match:
            continue
        sign, kind, sources, targets, classes, what, expression, branch = match.groups()
        names = sets[sign]
        found = types(sources, names)
        pairs = {(s, t) for s in found for t in ([s] if targets == "self" else types(targets, names))}
        perms = values(what) if kind.endswith("xperm") else set(words(what))
        for name in words(classes):
            yield sign, kind, name, (expression, branch == "True") if expression else None, pairs, perms
