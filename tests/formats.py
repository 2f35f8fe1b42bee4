#!/usr/bin/env python3
"""formats.py PROGRAM SCHEMA: the findings of golden cases in all formats.

SARIF is valid by the schema, JUnit has the structure that CI systems read, and
all formats say the same: as many findings, with the same levels, checks, places
and texts.
"""
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree

import jsonschema

TOP = pathlib.Path(__file__).resolve().parent.parent
EVERY = 7  # golden cases: one in so many, and all that have odd bytes or marks


def chosen_cases():
    for i, err in enumerate(sorted((TOP / "testdata").rglob("*.err"))):
        conf = err.with_suffix(".conf")
        if conf.exists() and (i % EVERY == 0 or err.parent.name in ("lexer", "formats", "cases", "reports")):
            yield conf


def run(program, conf, form):
    flags = conf.with_suffix(".flags")
    options = flags.read_text().split() if flags.exists() else []
    done = subprocess.run([program, *options, "--max-errors=0", "--format=" + form, conf.name], cwd=conf.parent,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=100)
    return done.returncode, done.stderr


FINDING = re.compile(r"^(?:policy-compile|(.+?):(\d+):(\d+)): (error|warning|note): (.*) \[([a-z0-9-]+)\]$")


def from_text(output):
    found = []
    for line in output.decode("utf-8").splitlines():
        m = FINDING.match(line)
        if m:
            found.append((m[4], m[6], m[5], m[1], int(m[2] or 0)))
    return found


def from_json(output):
    lines = [json.loads(line) for line in output.decode("utf-8").splitlines()]
    counts = lines.pop()["summary"]
    assert counts["errors"] == sum(line["level"] == "error" for line in lines), "summary"
    assert counts["warnings"] == sum(line["level"] == "warning" for line in lines), "summary"
    for line in lines:
        assert isinstance(line["notes"], list) and isinstance(line["hints"], list)
        if "source" in line:
            assert 1 <= line["column"] < line["endColumn"], "columns"
    return [(line["level"], line["check"], line["message"], line.get("file"), line.get("line", 0)) for line in lines]


def from_sarif(output, schema):
    log = json.loads(output.decode("utf-8"))
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (only,) = log["runs"]
    rules, found = only["tool"]["driver"]["rules"], []
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex"
        assert rules[result["ruleIndex"]]["help"]["text"], "a rule without help"
        text = result["message"]["text"].split("\n")[0].replace("{{", "{").replace("}}", "}")
        place = result["locations"][0]["physicalLocation"] if "locations" in result else None
        if place and "region" not in place:  # the input as a whole
            place = None
        if place:
            check_snippet(place)
        found.append((result["level"], result["ruleId"], text,
                      place and urllib.parse.unquote(place["artifactLocation"]["uri"].removeprefix("file://")),
                      place["region"]["startLine"] if place else 0))
    return found


def junit_finding(case):
    (child,) = case
    if child.tag == "failure":
        level, check = "error", child.get("type")
        assert child.get("message") in child.text, "details without the message"
    else:
        assert child.tag == "system-out", child.tag
        level, check = re.match(r"(warning|note) \[([a-z0-9-]+)\] ", child.text).groups()
    text, line = case.get("name"), int(case.get("line", 0))
    if line:
        text = text.removeprefix("%d:" % line).split(": ", 1)[1]
    return level, check, text, case.get("file"), line


def from_junit(output):
    """The findings, and the names of the suites without any."""
    top, found, passed = xml.etree.ElementTree.fromstring(output), [], []
    assert top.tag == "testsuites"
    for suite in top:
        assert suite.tag == "testsuite" and all(case.tag == "testcase" for case in suite)
        assert all(case.get("name") and case.get("classname") == suite.get("name") for case in suite)
        assert int(suite.get("tests")) == len(suite) and suite.get("errors") == "0"
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        found += [junit_finding(case) for case in suite if len(case)]
        passed += [suite.get("name") for case in suite if not len(case)]
        assert not passed or passed[-1] != suite.get("name") or len(suite) == 1
    for key in "tests", "failures":
        assert int(top.get(key)) == sum(int(suite.get(key)) for suite in top), key
    return found, passed


def check_snippet(place):
    region, context = place["region"], place.get("contextRegion")
    if context and "snippet" in region and "\\x" not in context["snippet"]["text"]:
        line = context["snippet"]["text"]
        assert line[region["startColumn"] - 1:region["endColumn"] - 1] == region["snippet"]["text"], "snippet"


def fault_of(program, conf, schema):
    status, text = run(program, conf, "text")
    json_status, json_lines = run(program, conf, "json")
    sarif_status, sarif = run(program, conf, "sarif")
    junit_status, junit = run(program, conf, "junit")
    expected = from_text(text)
    if not json_status == sarif_status == junit_status == status:
        return "exit status %d, %d, %d, %d" % (status, json_status, sarif_status, junit_status)
    if b"[usage]" in text:
        return None
    if from_json(json_lines) != expected:
        return "JSON says something else than text"
    if from_sarif(sarif, schema) != expected:
        return "SARIF says something else than text"
    found, passed = from_junit(junit)
    if sorted(found, key=repr) != sorted(expected, key=repr) or (not found and passed != [conf.name]):
        return "JUnit says something else than text"
    return None


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    schema = json.loads(pathlib.Path(sys.argv[2]).read_text())
    passed = failed = 0
    for conf in chosen_cases():
        try:
            fault = fault_of(program, conf, schema)
        except (AssertionError, KeyError, ValueError, jsonschema.ValidationError) as error:
            fault = "%s: %s" % (type(error).__name__, str(error).splitlines()[0])
        passed += not fault
        failed += bool(fault)
        if fault:
            print("formats: %s: %s" % (conf.relative_to(TOP), fault))
    print("formats: %d passed, %d failed" % (passed, failed))
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
