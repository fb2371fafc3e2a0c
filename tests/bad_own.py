"""Mutations of tasks in our own format, and of their manifest."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bad_files import Bad, at
from kaware_records import without
from own_tasks import (
    Record,
    manifest_for,
    parcel,
    rain,
    replayed,
    write_items,
    write_items_text,
    write_manifest,
)


def own() -> Iterator[Bad]:
    """Mutations of tasks in our own format, and of their manifest."""
    yield from _missing_parts()
    yield from _wrong_parts()
    yield from _wrong_plans()
    yield from _wrong_facts()
    yield from _wrong_worlds()
    yield from _wrong_item_lines()
    yield from _wrong_manifests()


def _task(name: str, field: str, said: str, task: Record) -> Bad:
    """A task that is wrong, after one that is fine and a blank line."""
    return Bad(
        f"own: {name}",
        lambda folder: write_items_text(folder, f"{json.dumps(rain())}\n\n{json.dumps(task)}\n"),
        _item(field),
        said,
    )


def _item(field: str = "", line: int = 3) -> str:
    return at("items", field, line)


def _missing_parts() -> Iterator[Bad]:
    for field in ("id", "opening", "world", "offered", "plan", "topology", "cluster"):
        yield _task(f"no {field}", field, "this field is missing", without(parcel(), field))
    yield _task("no text", "opening.text", "missing", parcel(opening={"kind": "query"}))


def _wrong_parts() -> Iterator[Bad]:
    query = {"kind": "query", "text": "x"}
    for name, field, said, changed in (
        ("id is a number", "id", "should be a valid string", {"id": 4}),
        ("id is empty", "id", "at least 1 character", {"id": ""}),
        ("id twice", "id", "the id 'rain' occurs twice", {"id": "rain"}),
        ("unknown field", "boundary", "there is no such field", {"boundary": "external"}),
        ("unknown field inside", "opening.txt", "there is no such field", {"opening": {**query, "txt": 1}}),
        ("unknown opening", "opening.kind", "'query'", {"opening": {**query, "kind": "song"}}),
        ("empty query", "opening.text", "at least 1 character", {"opening": {**query, "text": ""}}),
        ("unknown topology", "topology", "'single_hop', 'parallel' or 'multi_hop'", {"topology": "hops"}),
        ("offered is a text", "offered", "should be a valid tuple", {"offered": "get_order"}),
        ("tool offered twice", "offered.1", "is offered twice", {"offered": ["get_order"] * 2}),
        ("replay gap", "replay_gap", "there can be no gap", {"replay_gap": ["get_order"]}),
    ):
        yield _task(name, field, said, parcel(**changed))


def _with_step(number: int, **changed: Any) -> Record:
    task = parcel()
    task["plan"][number] = {**task["plan"][number], **changed}
    return task


def _with_source(**changed: Any) -> Record:
    source = {"value": "C1", "origin": "step", "step": 0, "field": "order_number"}
    return _with_step(1, arguments={"order_number": {**source, **changed}})


def _wrong_plans() -> Iterator[Bad]:
    source = "plan.1.arguments.order_number"
    for name, field, said, task in (
        ("empty plan", "plan", "the plan has no step", parcel(plan=[])),
        ("plan is an object", "plan", "should be a valid tuple", parcel(plan={})),
        ("unknown tool in the plan", "plan.0.tool", "'get_mail', which", _with_step(0, tool="get_mail")),
        (
            "step without tool",
            "plan.1.tool",
            "missing",
            parcel(plan=[parcel()["plan"][0], {"boundary": "external"}]),
        ),
        ("unknown boundary", "plan.0.boundary", "should be", _with_step(0, boundary="outside")),
        ("hybrid step", "plan.0.boundary", "should be", _with_step(0, boundary="hybrid")),
        (
            "step points forward",
            f"{source}.step",
            "from step 3, which does not come before it",
            _with_source(step=3),
        ),
        ("step points backward", f"{source}.step", "greater than or equal to 0", _with_source(step=-1)),
        ("step names no field", source, "origin 'step' needs", _with_source(field=None)),
        ("step is a text", f"{source}.step", "should be a valid integer", _with_source(step="first")),
        ("unknown origin", f"{source}.origin", "'query', 'context'", _with_source(origin="guess")),
        ("one hop in two steps", "topology", "single_hop, but the plan has 2", parcel(topology="single_hop")),
        ("parallel steps that are linked", "topology", "one step feeds another", parcel(topology="parallel")),
        ("two hops in one step", "topology", "plan has 1 step", rain(id="b", topology="multi_hop")),
        ("result that nobody reports", "plan", "'colour' reports", _with_step(1, wants=["colour"])),
        ("link to a result nobody reports", "plan", "'colour' reports", _with_source(field="colour")),
    ):
        yield _task(name, field, said, task)
    free = _with_source(origin="query", step=None, field=None)
    yield _task("two hops without a link", "topology", "multi_hop, but no step feeds another", free)


def _wrong_facts() -> Iterator[Bad]:
    for name, field, said, changed in (
        ("unknown kind of fact", "kind", "should be 'number'", {"kind": "colour"}),
        ("fact without value", "value", "missing", {"value": ...}),
        ("fact that is null", "value", "should be a valid", {"value": None}),
        (
            "number that is a text",
            "",
            "is not a value of the kind 'number'",
            {"kind": "number", "value": "4"},
        ),
        ("date that is none", "", "'tomorrow' is not a value", {"kind": "date", "value": "tomorrow"}),
        ("time that is none", "", "is not a value of the kind", {"kind": "time", "value": "25:99"}),
        ("yes or no in words", "", "is not a value of the kind", {"kind": "yes_no", "value": "yes"}),
        ("blank text", "value", "the text is blank", {"value": " "}),
        ("negative tolerance", "tolerance", "greater than or equal to 0", {"tolerance": -1}),
        ("source out of the plan", "sources.0", "'2.status' is not a result", {"sources": ["2.status"]}),
    ):
        fact = {"kind": "text", "value": "processing", **changed}
        fact = {key: value for key, value in fact.items() if value is not ...}
        yield _task(name, f"facts.0.{field}".rstrip("."), said, parcel(facts=[fact]))


def _wrong_worlds() -> Iterator[Bad]:
    def lives(name: str, **setup: Any) -> Record:
        return replayed(world={"name": name, "setup": setup})

    good = replayed()["world"]["setup"]
    setup = "world.setup"
    for name, field, said, task in (
        (
            "unknown world",
            "world.name",
            "no world named 'everydays'",
            rain(id="b", world={"name": "everydays"}),
        ),
        (
            "tool that the world lacks",
            "offered",
            "does not have",
            rain(id="b", offered=["get_current_weather", "radar"]),
        ),
        (
            "unknown setup",
            setup,
            "named 'weather'",
            rain(id="b", world={"name": "everyday", "setup": {"weather": 1}}),
        ),
        (
            "clock that is none",
            setup,
            "",
            rain(id="b", world={"name": "everyday", "setup": {"clock": "noon"}}),
        ),
        ("replay without tools", setup, "'tools' cannot be used", lives("replay", recordings={})),
        (
            "replay with a tool as text",
            setup,
            "'tools.0' cannot",
            lives("replay", tools=["double"], recordings={}),
        ),
        (
            "replay without recording",
            setup,
            "no recording of the tool 'double'",
            lives("replay", **{**good, "recordings": {}}),
        ),
        (
            "recording that is a number",
            setup,
            "'recordings.double' cannot",
            lives("replay", **{**good, "recordings": {"double": 42}}),
        ),
    ):
        yield _task(name, field, said, task)


def _wrong_item_lines() -> Iterator[Bad]:
    good, second = json.dumps(rain()), json.dumps(parcel())
    for name, text, field, said in (
        ("cut line", second[:200], "", "the line is cut off"),
        ("line that is not JSON", "- id: parcel", "", "the line is not JSON"),
        ("line that is a text", '"parcel"', "", "the line holds a string"),
        ("infinite tolerance", second.replace('"C1"', "1e999"), "", "is too large"),
        ("field twice", second.replace("{", '{"id": "b", ', 1), "id", "'id' occurs twice"),
    ):
        yield Bad(
            f"own: {name}",
            lambda folder, text=text: write_items_text(folder, f"{good}\n{text}\n{second}\n"),
            _item(field, 2),
            said,
        )
    yield Bad("own: empty file", lambda folder: write_items_text(folder, ""), "items.jsonl", "holds no item")
    yield Bad("own: neither layout", _empty_folder, "", "the folder holds neither items.jsonl")


def _wrong_manifests() -> Iterator[Bad]:
    def made(name: str, field: str, said: str, **changed: Any) -> Bad:
        def both(folder: Path) -> None:
            manifest = manifest_for(write_items(folder, [rain()]), **changed)
            write_manifest(folder, {key: value for key, value in manifest.items() if value is not ...})

        return Bad(f"manifest: {name}", both, f"manifest.json, field {field!r}", said)

    def raw(name: str, data: bytes, where: str, said: str) -> Bad:
        def both(folder: Path) -> None:
            (write_items(folder, [rain()]) / "manifest.json").write_bytes(data)

        return Bad(f"manifest: {name}", both, where, said)

    yield made("wrong hash", "sha256", "the items don't match the manifest", sha256="0" * 64)
    yield made("no licence", "licence", "this field is missing", licence=...)
    yield made("unknown field", "license", "there is no such field", license="MIT")
    yield made("seed is a text", "seed", "should be a valid integer", seed="first")
    yield made("wrong size", "size", "counts 9 items, but items.jsonl has 1", size=9)
    yield raw("cut off", b'{"name": "harbour",', "manifest.json", "the file is cut off")
    yield raw("not UTF-8", b'{"name": "\xff"}', "manifest.json:1", "this is not UTF-8 text")
    yield raw("a list", b"[]", "manifest.json", "the file holds a list")


def _empty_folder(folder: Path) -> None:
    folder.mkdir()
