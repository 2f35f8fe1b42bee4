#!/usr/bin/env python3
"""formats.py PROGRAM SCHEMA: the findings of golden cases as JSON and SARIF.

SARIF is valid by the schema, and all three formats say the same: as many
findings, with the same levels, checks, places and texts.
"""
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

import jsonschema

TOP = pathlib.Path(__file__).resolve().parent.parent
EVERY = 7  # golden cases: one in so many, and all that have odd bytes or marks


def chosen_cases():
    for i, err in enumerate(sorted((TOP / "testdata").rglob("*.err"))):
        conf = err.with_suffix(".conf")
        if conf.exists() and (i % EVERY == 0 or err.parent.name in ("lexer", "formats", "cases")):
            yield conf


def run(program, conf, form):
    flags = conf.with_suffix(".flags")
    options = flags.read_text().split() if flags.exists() else []
    done = subprocess.run([program, *options, "--max-errors=0", "--format=" + form, conf.name], cwd=conf.parent,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=100)
    return done.returncode, done.stderr


FINDING = re.compile(r"^(?:policy-compile|(.+?):(\d+):(\d+)): (error|warning): (.*) \[([a-z0-9-]+)\]$")


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
        if place:
            check_snippet(place)
        found.append((result["level"], result["ruleId"], text,
                      place and urllib.parse.unquote(place["artifactLocation"]["uri"].removeprefix("file://")),
                      place["region"]["startLine"] if place else 0))
    return found


def check_snippet(place):
    region, context = place["region"], place.get("contextRegion")
    if context and "snippet" in region and "\\x" not in context["snippet"]["text"]:
        line = context["snippet"]["text"]
        assert line[region["startColumn"] - 1:region["endColumn"] - 1] == region["snippet"]["text"], "snippet"


def fault_of(program, conf, schema):
    status, text = run(program, conf, "text")
    json_status, json_lines = run(program, conf, "json")
    sarif_status, sarif = run(program, conf, "sarif")
    expected = from_text(text)
    if json_status != status or sarif_status != status:
        return "exit status %d, %d, %d" % (status, json_status, sarif_status)
    if b"[usage]" in text:
        return None
    if from_json(json_lines) != expected:
        return "JSON says something else than text"
    if from_sarif(sarif, schema) != expected:
        return "SARIF says something else than text"
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
