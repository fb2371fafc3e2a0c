"""`knowact forge kapro --tools` for a service over HTTP: what links its tools is told to whoever proposes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from knowact.forge.briefs import Brief
from knowact.forge.flat import flat
from running import knowact
from shop_app import TOKEN, served, shop

WRITER = "openai-api/shop/writer"
PRIVATE: dict[str, Any] = {"writes": False, "fires": ["privacy"], "when": "always", "by_person": True}
PRODUCT = {"name": "product.name", "price": "product.price", "size": "product.size"}
ANNOTATIONS: dict[str, Any] = {
    "list_products": {
        **PRIVATE,
        "about": [],
        "reports": {"[].sku": "product.sku", **{f"[].{field}": one for field, one in PRODUCT.items()}},
    },
    "get_product": {
        **PRIVATE,
        "about": ["sku"],
        "needs": {"sku": "product.sku"},
        "reports": {"sku": "echo", **PRODUCT},
    },
    "get_order": {
        **PRIVATE,
        "about": ["id"],
        "needs": {"id": "order.id"},
        "reports": {
            "id": "echo",
            "sku": "product.sku",
            "pieces": "order.pieces",
            "note": "order.note",
            "state": "none",
        },
    },
}
ORDERS = (("A1", 2, "ring twice"), ("B2", 5, "leave it next door"), ("A1", 7, "mind the dog"))


class Writer:
    """Proposes situations from the links and the tables that it is shown, and writes plainly."""

    def __init__(self) -> None:
        self.links: dict[str, list[str]] = {}

    def script(self, request: Request) -> Reply:
        text = request.conversation
        if "You invent situations" not in text:
            shown = text.split("The brief:\n\n")[1].split("\n}\n")[0] + "}"
            return Say(flat(Brief.model_validate_json(shown)).model_dump_json(include={"versions"}))
        tables = json.loads(text.split("some of their keys:\n\n")[1].split("\n\n")[0])
        self.links = json.loads(text.split("that it fits:\n\n")[1].split("\n\n")[0])
        [(source, [target])] = self.links.items()
        (giver, field), (taker, parameter) = source.split("."), target.split(".")
        jobs: dict[str, Any] = {
            "first": {
                "tool": giver,
                "ask": "what was ordered",
                "with": {"id": {"one_of": tables["order.id"]}},
            },
            "then": {
                "tool": taker,
                "ask": "what one of it costs",
                "wants": ["price"],
                "with": {parameter: {"from": f"first.{field}"}},
            },
            "note": {
                "tool": giver,
                "ask": "what the note says",
                "wants": ["note"],
                "with": {"id": {"one_of": tables["order.id"]}},
            },
            "shelf": {"tool": "list_products", "ask": "what there is", "wants": ["[].name"], "with": {}},
        }
        people = ["Ada, 40, brief", "Kim, 19, chatty"]
        return Say(json.dumps({"parcel": {"people": people, "situation": "A parcel came.", "jobs": jobs}}))


@pytest.fixture
def writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Writer]:
    monkeypatch.chdir(tmp_path)
    played = Writer()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("SHOP_API_KEY", "x")
        monkeypatch.setenv("SHOP_BASE_URL", endpoint.base_url)
        yield played


@pytest.mark.slow
def test_linked_tools_give_requests_of_several_hops(
    writer: Writer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = [{"tool": "get_order", "arguments": {"id": number}} for number in (1, 2, 3)]
    (tmp_path / "calls.jsonl").write_text("\n".join(map(json.dumps, calls)), encoding="utf-8")
    with served(shop()) as address:
        for sku, pieces, note in ORDERS:
            order = {"sku": sku, "pieces": pieces, "note": note}
            made = httpx.post(f"{address}/orders", json=order, headers={"Authorization": f"Bearer {TOKEN}"})
            made.raise_for_status()
        steps = (
            ("tools", "add", "shop", "--openapi", f"{address}/openapi.json", "--base-url", address),
            ("tools", "record", "shop", "--calls", "calls.jsonl", "--yes"),
        )
        for step in steps:
            assert knowact(capsys, *step).code == 0
        said = yaml.safe_dump({"tools": ANNOTATIONS})
        (tmp_path / "knowact-tools" / "shop" / "annotations.yaml").write_text(said, encoding="utf-8")
        words = ("--tools", "shop", "--role", f"writer={WRITER}", "--yes", "--size")
        done = knowact(capsys, "forge", "kapro", *words, 9)
        assert done.code == 0, done.said
        pairs = knowact(capsys, "forge", "ict", *words, 7)
        assert pairs.code == 0, pairs.said
    assert writer.links == {"get_order.sku": ["get_product.sku"]}, "a list of all products needs no look-up"
    lines = (tmp_path / "kapro-shop" / "items.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {"multi_hop", "single_hop", "parallel"} == {one["topology"] for one in rows}
    facts = {fact["label"].partition(" of ")[0]: fact["value"] for one in rows for fact in one["facts"]}
    assert facts.keys() == {"price", "note", "every product name"}
    assert facts["every product name"] == ["Lamp", "Mug"]
    lines = (tmp_path / "ict-shop" / "items.jsonl").read_text("utf-8").splitlines()
    dialogues = [one for one in map(json.loads, lines) if one["source"] == "multi_turn"]
    assert dialogues
    for one in dialogues:
        said = [call["tool"] for turn in one["task"]["opening"]["utterances"] for call in turn["calls"]]
        assert said == ["get_order"]
    last = {step["tool"] for one in dialogues for step in one["task"]["plan"]}
    assert last == {"get_product", "list_products"}
