"""Scenarios that a model proposes for a world that has none: code keeps those whose plans it can prove.

They are kept in the work folder in the format that people write, a file each, so that somebody can read and
correct them before anything is written.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from knowact.forge.drafts import MOST_ENTRIES, Unusable, drafted, sketches
from knowact.forge.proving import unproven
from knowact.worlds.material import Material
from knowact.worlds.scenarios import Scenario, read_scenarios

SCENARIOS: Final = "scenarios"
"""The folder of a work folder that holds them."""
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST: Final = 60
_FEWEST: Final = 2
"""A scenario of which fewer plans can be proven is dropped."""
_KEYS_SHOWN: Final = 12


def shown(material: Material, count: int) -> dict[str, str]:
    """What fills the proposer's prompt.

    Args:
        material: The world.
        count: How many scenarios are wanted at a time.
    """
    tools = {
        tool.name: {
            "does": tool.description,
            "takes": tool.properties,
            "must have": sorted(tool.required),
            "gives": _gives(tool.returns or {}),
            **({"needed": material.needed_if[tool.name]} if tool.name in material.needed_if else {}),
        }
        for tool in material.tools.values()
    }
    return {
        "count": str(count),
        "most": str(MOST_ENTRIES),
        "today": material.today.isoformat(),
        "tables": json.dumps({name: list(keys)[:_KEYS_SHOWN] for name, keys in material.keys.items()}),
        "links": json.dumps(_links(material)),
        "tools": json.dumps(tools, ensure_ascii=False),
    }


def _links(material: Material) -> dict[str, list[str]]:
    """The parameters that each result field can feed, as `tool.name`: both hold the same attribute.

    A tool that says nothing beyond what the first one says already would be needless, so it is left out.
    """
    can = {name: tool.capability for name, tool in material.tools.items() if tool.capability is not None}
    feeds: dict[str, list[str]] = {}
    for giver, gives in can.items():
        for report in gives.reports:
            takers = [
                f"{taker}.{need.parameter}"
                for taker, takes in can.items()
                for need in takes.needs
                if taker != giver and need.attribute == report.attribute
                if {*takes.gives()} - {*gives.gives()}
            ]
            if takers:
                feeds[f"{giver}.{report.field}"] = takers
    return feeds


def _gives(returns: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a result as `wants` names them; of a list, those of its elements."""
    element: Mapping[str, Any] | None = returns.get("items")
    if element is None:
        return returns.get("properties", {})
    fields: Mapping[str, Any] = element.get("properties", {})
    return {f"[].{name}": shape for name, shape in fields.items()} or {"[]": element}


def proven(name: str, entry: object, material: Material, seed: int) -> Scenario:
    """The scenario, without the jobs that no proven plan uses.

    Raises:
        Unusable: It is no scenario, or too few of its plans can be proven; with what is wrong.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise Unusable(f"{name[:_LONGEST]!r}: a name has small letters, digits and hyphens")
    try:
        scenario = Scenario.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        raise Unusable(f"{name}.{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    world = replace(material, scenarios={name: scenario})
    why: list[str] = []
    used: set[str] = set()
    plans = 0
    for sketch in sketches(name, scenario):
        try:
            draft = drafted(sketch, world, seed)
        except (Unusable, KeyError, ValueError) as error:
            why.append(f"{'+'.join(sketch.jobs)}: {error}")
            continue
        if problem := unproven(draft.task, seed, world):
            why.append(f"{'+'.join(sketch.jobs)}: {problem}")
        else:
            plans += 1
            used |= set(sketch.jobs)
    if plans < _FEWEST:
        raise Unusable(f"{name}: only {plans} plans can be proven. {why[0] if why else ''}".strip())
    jobs = {job: definition for job, definition in scenario.jobs.items() if job in used}
    with suppress(ValidationError):
        return Scenario.model_validate({**_plain(scenario), "jobs": {k: _plain(v) for k, v in jobs.items()}})
    return scenario


def _plain(noun: Any) -> Mapping[str, Any]:
    plain: Mapping[str, Any] = noun.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return plain


def keep_all(folder: Path, scenarios: Mapping[str, Scenario]) -> None:
    """Write scenarios into the work folder, a file each; what is there already stays."""
    target = folder / SCENARIOS
    target.mkdir(parents=True, exist_ok=True)
    for name, scenario in scenarios.items():
        file = target / f"{name}.yaml"
        if not file.exists():
            text = yaml.safe_dump({name: _plain(scenario)}, sort_keys=False, allow_unicode=True)
            file.write_text(text, encoding="utf-8")


def kept(folder: Path) -> Mapping[str, Scenario]:
    """The scenarios of a work folder; none where it has none.

    Raises:
        BadData: A file is not as it should be.
    """
    target = folder / SCENARIOS
    return read_scenarios(target) if target.exists() else {}
