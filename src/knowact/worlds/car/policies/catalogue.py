"""The rules as data: id, sentence, trigger, condition, evidence, and who decides."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final, Literal

from pydantic import Field

from knowact.core.model import Noun

FILE: Final = "policies.toml"


class Policy(Noun):
    """One rule (CAR-bench).

    Attributes:
        sentence: What the agent is told.
        by: Whether code or a judge decides.
        trigger: What brings it up.
        condition: What must hold then.
        evidence: What shows that it held.
        counts_at: When it must hold.
        hint: What a judge is told besides; empty for none.
        published_hint: What the published judge is told besides the sentence; empty for none.
        state: The variables that a judge is shown, at the start and whenever they change.
        results: The tools whose results a judge is shown in full.
    """

    id: str = Field(pattern=r"^(AUT|LLM)-POL:\d{3}$")
    sentence: str = Field(min_length=1)
    by: Literal["code", "judge"]
    trigger: str = Field(min_length=1)
    condition: str = Field(min_length=1)
    evidence: str = Field(min_length=1)
    counts_at: Literal["call", "batch", "turn", "trial"]
    hint: str = ""
    published_hint: str = ""
    state: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def _read() -> Mapping[str, Policy]:
    text = (resources.files("knowact.worlds.car.policies") / FILE).read_text(encoding="utf-8")
    policies = map(Policy.model_validate, tomllib.loads(text)["policy"])
    return {policy.id: policy for policy in policies}


POLICIES: Final = _read()
"""By id, those that code decides first."""
