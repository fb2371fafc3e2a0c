"""Items of anybody's, a judge and a writer that make pairs of them over real HTTP, and the command."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Reply, Request, Say
from own_tasks import Record
from running import Ran, knowact

WRITER, JUDGE = "openai-api/forge/writer", "openai-api/forge/judge"
ROLES = ("--role", f"writer={WRITER}", "--role", f"judge={JUDGE}")
PLACES = ("Aarhus", "Bilbao", "Coimbra", "Dresden", "Esbjerg", "Faro")
JOBS = ("harbour fees", "tram delays", "museum queues", "market stalls", "river levels", "night buses")


def tool(job: str) -> Record:
    """A tool that nobody has said anything of beyond its description."""
    return {
        "name": f"get_{job.replace(' ', '_')}",
        "description": f"Report the {job} of a place today.",
        "parameters": {
            "type": "object",
            "properties": {
                "place": {"type": "string", "description": "Name of the place"},
                "unit": {"type": "string", "default": "usual"},
            },
            "required": ["place", "unit"],
        },
    }


def task(number: int, **changed: Any) -> Record:
    """A complete item with two tools of its own."""
    job, place = JOBS[number], PLACES[number]
    spare = JOBS[(number + 1) % len(JOBS)]
    made: Record = {
        "id": f"item-{number}",
        "opening": {"text": f"I am off soon. Give me the {job} in {place}, I have to plan my day."},
        "world": {"name": "cassette", "setup": {"tools": [tool(job), tool(spare)]}},
        "offered": [tool(spare)["name"], tool(job)["name"]],
        "plan": [
            {
                "tool": tool(job)["name"],
                "boundary": "external",
                "arguments": {"place": {"value": place}, "unit": {"value": "usual", "origin": "default"}},
            }
        ],
        "topology": "single_hop",
        "cluster": f"item-{number}",
    }
    return {**made, **changed}


class Models:
    """A judge that knows which tool a wish takes, and a writer that cuts out a value with its preposition."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.first: list[Reply] = []
        self.capable: set[str] = set()
        """Tools that can do every job, as the judge sees it."""
        self.careless: set[str] = set()
        """Places that the judge finds said wherever they are not."""
        self.refuses: set[str] = set()
        self.shown: list[str] = []

    def script(self, request: Request) -> Reply:
        self.asked.append(request.model)
        self.shown.append(request.conversation)
        if self.first:
            return self.first.pop(0)
        if request.model == "judge":
            return Say(json.dumps({"why": "because", "verdict": self.verdict(request.conversation)}))
        brief = json.loads(request.conversation.split("The brief:\n\n")[1])
        if brief["value"] in self.refuses:
            return Say('{"refused": "nothing is left"}')
        words = f"in {brief['value']}"
        return Say(json.dumps({"words": words, "text": brief["message"].replace(f" {words}", "")}))

    def verdict(self, shown: str) -> str:
        shown, said = shown.split("The conversation.")
        offered = {one["name"] for one in json.loads(shown.split("The tools:\n")[1])}
        (number,) = (number for number, job in enumerate(JOBS) if f"the {job}" in said)
        if not offered & {tool(JOBS[number])["name"], *self.capable}:
            return "tool"
        return "possible" if PLACES[number] in {*self.careless} or PLACES[number] in said else "information"


def forged(capsys: pytest.CaptureFixture[str], source: object, folder: Path, *words: object) -> Ran:
    always = ("--out", folder, "--yes", "--max-connections", "1", "--votes", "1", "--seed", "4")
    return knowact(capsys, "forge", "ict", "--from", source, *always, *words)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def reasons(folder: Path) -> Counter[str]:
    return Counter(one["reason"] for one in lines(folder / "rejected.jsonl"))
