#!/usr/bin/env python3
"""validate.py PROGRAM: the forms of mls-validate's answers, from
testdata/validate/contexts.

JUnit is what CI systems read, with a passing case for an input without
findings; SARIF has a location for each finding of a file; JSON has one object a
text, and each with its findings.
"""
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree


def run(*arguments):
    done = subprocess.run([sys.argv[1], *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def junit():
    status, out, err = run("-p", "labels.conf", "--format=junit", "context", "-f", "102.contexts")
    top = xml.etree.ElementTree.fromstring(err)
    (suite,) = top
    assert status == 1 and top.tag == "testsuites" and suite.tag == "testsuite"
    assert suite.get("name") == "102.contexts" and suite.get("failures") == "6" and suite.get("tests") == "7"
    failures = [case.find("failure") for case in suite if case.find("failure") is not None]
    assert [f.get("type") for f in failures][:2] == ["category-as-level", "reversed-range"]
    assert all(case.get("file") == "102.contexts" and case.get("line") for case in suite)
    status, out, err = run("-p", "labels.conf", "--format=junit", "context", "-q", "sys_u:object_r:data_t:s0")
    ((case,),) = xml.etree.ElementTree.fromstring(err)
    assert status == 0 and case.tag == "testcase" and not len(case) and case.get("name") == "context"
    status, out, err = run("-p", "labels.conf", "--format=junit", "policy")
    assert status == 0 and {s.get("name") for s in xml.etree.ElementTree.fromstring(err)} == {"labels.conf"}


def sarif():
    status, out, err = run("-p", "labels.conf", "--format=sarif", "context", "-f", "102.contexts")
    results = json.loads(err)["runs"][0]["results"]
    assert status == 1 and len(results) == 7
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "102.contexts"
    lines = [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results]
    assert sorted(lines) == [1, 2, 3, 4, 5, 6, 7]


def json_answers():
    status, out, err = run("-p", "labels.conf", "--format=json", "context", "-f", "102.contexts")
    answers = [json.loads(line) for line in out.splitlines()]
    findings = [json.loads(line) for line in err.splitlines()]
    lines = open("102.contexts").read().splitlines()
    assert status == 1 and [a["text"] for a in answers] == lines
    bad = {f["line"] for f in findings[:-1] if f["level"] == "error"}
    assert bad == {i + 1 for i, a in enumerate(answers) if "canonical" not in a}
    assert answers[4]["canonical"] == "sys_u:object_r:data_t:s0:c0" and findings[-1]["summary"]["errors"] == 6


def in_a_file():
    with tempfile.TemporaryDirectory() as work:
        path = work + "/found.xml"
        status, out, err = run("-p", "labels.conf", "--format=junit", "--diagnostics", path, "level", "s0:c9")
        assert status == 1 and "argument 1:1:4: error: " in err
        assert xml.etree.ElementTree.parse(path).getroot().get("failures") == "1"


failed = 0
for test in junit, sarif, json_answers, in_a_file:
    try:
        test()
    except (AssertionError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
        failed += 1
        print("validate: %s: %s: %s (line %d)" % (test.__name__, type(error).__name__, error, error.__traceback__.tb_next.tb_lineno))
sys.exit(1 if failed else 0)
