#!/usr/bin/env python3
"""checks.py DIRECTORY: the registry of checks against the sources and itself.

Every name that the sources report under stands in checks/checks.txt, and every
name there is used in the sources.  Every bad example is reported under its
name, and no good one is reported at all, but for what the check says of it.
The examples are put into the policy below, or are files read under it.  The
programs are in the directory.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
ROOMS = "base ebitmap lexer parser ir backend kernel security validator query cli".split()

# By section, in their order.  A line of an example stands in place of a line
# here that begins with the same two words.
POLICY = {
    "classes": "class file\nclass dir\nclass process",
    "sids": "sid kernel",
    "commons": "",
    "vectors": "class file { read write append ioctl }\nclass dir { search add_name }\nclass process { transition fork }",
    "defaults": "",
    "sensitivities": "sensitivity s0;\nsensitivity s1;",
    "dominance": "dominance { s0 s1 }",
    "categories": "category c0;\ncategory c1;\ncategory c2;",
    "levels": "level s0:c0.c1;\nlevel s1:c0.c2;",
    "mls": "mlsconstrain file read (l1 dom l2);",
    "rules": "attribute domain;\nattribute data_type;\ntype app_t;\ntype data_t;\ntype log_t;\nrole user_r;\nrole admin_r;\n"
             "role user_r types { app_t data_t log_t };\nrole admin_r types { app_t data_t log_t };\nallow app_t data_t:file { read ioctl };",
    "users": "user user_u roles { user_r };",
    "constraints": "",
    "contexts": "sid kernel user_u:user_r:app_t",
    "labels": "",
}
MLS = {"sensitivities", "dominance", "categories", "levels", "mls"}
KEYWORDS = {
    "common": "commons", "sensitivity": "sensitivities", "dominance": "dominance", "category": "categories",
    "level": "levels", "mlsconstrain": "mls", "user": "users", "constrain": "constraints",
    "validatetrans": "constraints", "default_user": "defaults", "default_role": "defaults",
    "default_type": "defaults", "default_range": "defaults",
}
LABELS = {
    "portcon", "nodecon", "netifcon", "genfscon", "fs_use_xattr", "fs_use_task", "fs_use_trans", "ibpkeycon",
    "ibendportcon", "pirqcon", "iomemcon", "ioportcon", "pcidevicecon", "devicetreecon",
}

# Diagnostics of the command line, which are printed at once.
NOT_RECORDED = {"usage"}


class Check:
    def __init__(self, name):
        self.name, self.program, self.flags, self.bad, self.good = name, [], [], "", ""


def read_registry():
    checks, part = [], ""
    for line in (TOP / "checks/checks.txt").read_text().splitlines():
        head = re.match(r"# ([a-z0-9-]+): ", line)
        if head:
            checks.append(Check(head[1]))
            part = ""
        elif not checks:
            continue
        elif line in ("Bad:", "Good:"):
            part = line[:-1].lower()
        elif line.startswith("Program: "):
            checks[-1].program = line.split()[1:]
        elif line.startswith("Flags: "):
            checks[-1].flags = line.split()[1:]
        elif part:
            setattr(checks[-1], part, getattr(checks[-1], part) + line[1:] + "\n")
    return checks


# ---- names in the sources

def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def arguments(text, at):
    """What stands in the parentheses that open at a place, parted at its commas."""
    depth, quoted, parts, begin = 0, False, [], at + 1
    for i in range(at, len(text)):
        c = text[i]
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif c in "({[":
            depth += 1
        elif c in ")}]":
            depth -= 1
        if depth == 0:
            return parts + [text[begin:i]]
        if c == "," and depth == 1:
            parts.append(text[begin:i])
            begin = i + 1
    return parts


def source_names():
    texts = [without_comments(path.read_text()) for room in ROOMS for path in (TOP / room).glob("*.[chyl]")]
    reporters = {}  # function: which argument is the check
    for text in texts:
        for m in re.finditer(r"\b(\w+)(\([^()]*\bconst char \*(?:check|unknown_check)\b)", text):
            if m[1] != "check_find":
                reporters[m[1]] = m[2].count(",")
    names = set()
    for text in texts:
        for m in re.finditer(r"\b(%s)\(" % "|".join(reporters), text):
            given = arguments(text, m.end() - 1)
            if reporters[m[1]] < len(given):
                names.update(re.findall(r'"([^"]*)"', given[reporters[m[1]]]))
        names.update(re.findall(r'\bcheck\w*(?:\[\])? = "([a-z0-9-]+)"', text))
        for m in re.finditer(r"\w*checks\[\w*\] = (\{.*?\});", text, flags=re.S):
            names.update(re.findall(r'"([^"]*)"', m[1]))
    return names


def golden_names():
    names = set()
    for path in (TOP / "testdata").rglob("*.err"):
        names.update(re.findall(r"^\S.*(?:error|warning|note): .* \[([a-z0-9-]+)\]$", path.read_text(errors="replace"), flags=re.M))
    return names


# ---- examples

def section_of(line):
    words = line.split()
    if words[0] == "class":
        return "vectors" if "{" in line or "inherits" in line else "classes"
    if words[0] == "sid":
        return "contexts" if len(words) > 2 else "sids"
    return "labels" if words[0] in LABELS else KEYWORDS.get(words[0], "rules")


def with_level(section, line):
    if section == "users":
        return line[:-1] + " level s0 range s0 - s1:c0.c2;"
    return line + ":s0" if section == "contexts" else line


def policy_with(example, mls):
    policy = {name: [line for line in text.splitlines()] for name, text in POLICY.items()}
    for name, lines in policy.items():
        if mls:
            policy[name] = [with_level(name, line) for line in lines]
        elif name in MLS:
            policy[name] = []
    for group in filter(None, example.strip("\n").split("\n\n")):
        lines = group.splitlines()
        section = section_of(lines[0])
        replaced = {tuple(line.split()[:2]) for line in lines}
        kept = [line for line in policy[section] if tuple(line.split()[:2]) not in replaced or section in ("vectors", "rules")]
        policy[section] = kept + lines
    return "\n".join(line for lines in policy.values() for line in lines) + "\n"


def command_of(check, example, programs, work):
    """Writes the files that the example needs."""
    policy, path = work / "example.conf", work / "example"
    if not check.program:
        text = policy_with(example, "-M" in check.flags)
        policy.write_text(text.replace("sid kernel", "sid xen") if "xen" in check.flags else text)
        return [programs / "policy-compile", *check.flags, "-o", path, policy]
    if check.program[0] == "module-compile":
        module = work / "example.te"
        module.write_text(example)
        return [programs / "module-compile", "-m", *check.flags, "-o", work / "app.mod", module]
    if check.program[0] == "policy-compile":
        module = work / "example.te"
        module.write_text(example)
        policy.write_text(policy_with("", "-M" in check.flags))
        return [programs / "policy-compile", *check.program[1:], *check.flags, policy, module]
    name, command, *options = check.program
    policy.write_text(policy_with(example if command == "policy" else "", True))
    path.write_text(example)
    files = {"policy": [], "context": ["-f", path], "level": ["-f", path], "range": ["-f", path]}.get(command, [path])
    return [programs / name, "-p", policy, command, *options, *check.flags, *files]


def names_reported(check, example, programs):
    with tempfile.TemporaryDirectory() as work:
        run = subprocess.run(command_of(check, example, programs, pathlib.Path(work)), stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=60)
    if run.returncode not in (0, 1):
        return None, run.stderr
    return set(re.findall(r": (?:error|warning|note): .* \[([a-z0-9-]+)\]$", run.stderr, flags=re.M)), run.stderr


def faults_of(check, programs):
    if not check.bad:
        return
    reported, text = names_reported(check, check.bad, programs)
    if reported is None or check.name not in reported:
        yield "the bad example is not reported\n" + text
    reported, text = names_reported(check, check.good, programs)
    if reported is None or reported:
        yield "the good example is reported\n" + text


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    checks = read_registry()
    known = {check.name for check in checks}
    used = source_names() | NOT_RECORDED
    failed = 0
    faults = [("%s is in the sources and not in checks.txt" % name) for name in sorted(used - known)]
    faults += [("%s is in checks.txt and not in the sources" % name) for name in sorted(known - used)]
    faults += [("%s is in the golden cases and not in checks.txt" % name) for name in sorted(golden_names() - known)]
    for check in checks:
        found = list(faults_of(check, programs))
        faults += ["%s: %s" % (check.name, fault) for fault in found]
        failed += bool(found)
    for fault in faults:
        print("checks: " + fault)
    print("checks: %d passed, %d failed" % (len(checks) - failed, max(failed, len(faults))))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
