"""Agents in roles that know every label and err as often as they are told to."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from knowact.roles.calibration import LabelledItem
from knowact.suites import labelled_sets

WRONG_ONE_IN = 10


def items(role: str) -> dict[str, LabelledItem]:
    return {item.id: item for one in labelled_sets() if one.role == role for item in one.items}


def rows(package: str, *names: str) -> list[dict[str, Any]]:
    folder = files(package).joinpath("labelled")
    texts = (folder.joinpath(f"{name}.jsonl").read_text(encoding="utf-8") for name in names)
    return [json.loads(line) for text in texts for line in text.splitlines()]


def erring(right: Mapping[str, Any], wrong: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Right replies, every tenth exchanged for the wrong one; and the ids of those."""
    spoilt = list(right)[::WRONG_ONE_IN]
    return {**right, **{name: wrong[name] for name in spoilt}}, spoilt


def filed(path: Path, replies: Mapping[str, Any]) -> str:
    """The model of a file that gives these replies."""
    lines = (
        json.dumps({"id": name, "reply": reply if isinstance(reply, str) else json.dumps(reply)})
        for name, reply in replies.items()
    )
    path.write_text("\n".join(lines), encoding="utf-8")
    return f"file:{path}"


def right_forms() -> dict[str, Any]:
    """Forms of right answers: what the fact says, quoted by the whole reply; those that pass the checks."""
    known, forms = items("extractor"), dict[str, Any]()
    for row in rows("knowact.reading", "claims", "claims_fresh"):
        if row["label"] and row["id"] in known:
            slots = {
                f"fact_{number}": {
                    "value": _value(fact),
                    "unit": fact.get("unit", ""),
                    "quotes": [row["reply"]],
                }
                for number, fact in enumerate(row["facts"], 1)
            }
            if not any(mark.wrong for mark in known[row["id"]].marks(json.dumps(slots))):
                forms[row["id"]] = slots
    return forms


def _value(fact: Mapping[str, Any]) -> object:
    return ("no", "yes")[fact["value"]] if isinstance(fact["value"], bool) else str(fact["value"])


def right_votes() -> dict[str, str]:
    """The label of each reason."""
    return {row["id"]: row["label"]["reason"] for row in rows("knowact.reading", "reasons")}


def right_lines() -> dict[str, Any]:
    """Lines that go on, or leave, as they should."""
    known = items("user")
    return {
        row["id"]: line("" if row["label"]["then"] == "leaves" else "Hm.")
        for row in rows("knowact.roles", "driver", "driver_blind")
        if row["id"] in known and row["label"]["then"] != "any"
    }


def line(text: str) -> dict[str, str]:
    word = "CONTINUE" if text else "STOP"
    return {"reasoning": "", "user_message": text, "conversation_control_keyword": word}


def right_answers() -> dict[str, Any]:
    """Which parts each question asks for, and the values that are due."""
    answers: dict[str, Any] = {}
    for row in rows("knowact.roles", "questions"):
        held = [*row["known"]["withheld"], *row["known"]["told"]]
        names = [one["slot"]["parameter"] for one in held]
        said = [one["said"][0] if one["said"] else str(one["value"]) for one in held]
        gone = row["known"]["removed"]
        if gone is not None:
            names.append(gone["job"]["tool"])
            said.append(
                ". ".join(str(fact["value"]) for fact in gone["facts"] if gone["can_do"]) or "I can't"
            )
        due = [place for place, name in enumerate(names) if name in row["label"]["matched"]]
        words = ". ".join(said[place] for place in due) or "I don't know"
        answers[row["id"]] = {"asks_for": [f"p{place + 1}" for place in due], "answer": f"{words}."}
    return answers
