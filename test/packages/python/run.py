"""Lists the tests of this folder (`run.py list`), or runs them and prints a JSON line for each: its name, and its failure or null."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../packages/python"))
sys.dont_write_bytecode = True


def each(suite):
    for test in suite:
        yield from each(test) if isinstance(test, unittest.TestSuite) else [test]


def name_of(test):
    words = test.id().split(".")
    return f"{words[-2]}: {words[-1][len('test_') :]}".replace("_", " ")


class Report(unittest.TestResult):
    def stopTest(self, test):
        failures = [text for failed, text in self.failures + self.errors if failed is test]
        skipped = [reason for one, reason in self.skipped if one is test]
        print(
            json.dumps([name_of(test), failures[0] if failures else None, skipped[0] if skipped else None]), flush=True
        )
        super().stopTest(test)


tests = list(each(unittest.defaultTestLoader.discover(HERE, pattern="*_test.py")))
if sys.argv[1:] == ["list"]:
    print(json.dumps([name_of(test) for test in tests]))
else:
    report = Report()
    unittest.TestSuite(tests).run(report)
    # A failure of a class's own setup belongs to none of its tests.
    for failed, text in report.errors:
        if not isinstance(failed, unittest.TestCase):
            sys.exit(text)
