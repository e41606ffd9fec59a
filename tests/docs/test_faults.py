"""The list of faults that tests must notice (`tools/faults.py`) follows the code."""

import faults
from faults import ROOT


def test_each_fault_can_be_planted_and_names_a_test_that_is_there():
    listed = list(faults.faults([]))
    assert len(listed) >= 60
    problems = [problem for fault in listed if (problem := fault.problem())]
    for fault in listed:
        file, _, name = fault.test.partition("::")
        function = f"def {name.partition('[')[0].rpartition('::')[2]}(" if name else ""
        if fault.test and function not in (ROOT / file).read_text(encoding="utf-8"):
            problems.append(f"{fault.area}: there is no {fault.test}")
    assert not problems
