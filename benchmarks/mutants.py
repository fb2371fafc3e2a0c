"""Change the formulas one small thing at a time, and name the changes that no test notices.

`make mutants` runs it over what decides numbers: the measures, the answer form and its comparators, and the
scorings (`[tool.mutmut]` in pyproject.toml). Arguments are patterns of mutants ("*pass_k*"); without any, all
are run, which takes an hour. `.venv-mutants/bin/mutmut show NAME` shows a survivor.
"""

import sys
from collections.abc import Iterable

import libcst as cst
from hypothesis import HealthCheck, settings
from mutmut.__main__ import cli
from mutmut.mutation import mutators

OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}


def opposite(node: cst.Name) -> Iterable[cst.Name]:
    if node.value in OPPOSITES:
        yield node.with_changes(value=OPPOSITES[node.value])


# Sentences are for people, and a call without an argument mostly crashes.
DULL = (mutators.operator_string, mutators.operator_assignment, mutators.operator_arg_removal)
KEPT = [one for one in mutators.mutation_operators if one[1] not in DULL]
OWN = [(cst.If, mutators.operator_if_exp), (cst.CompIf, mutators.operator_if_exp), (cst.Name, opposite)]
mutators.mutation_operators[:] = [*KEPT, *OWN]

# Each test runs again and again in forks of one process, in other instances of its class.
settings.register_profile(
    "mutants",
    settings.get_profile("ci"),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)

if __name__ == "__main__":
    cli(["run", "--max-children", "1", *sys.argv[1:]])
