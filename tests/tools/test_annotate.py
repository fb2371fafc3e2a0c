"""`knowact tools annotate`: what models agree on, what people say instead, and what can be proven with it."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from doubles.annotators import ScriptedAnnotator, unchanged
from doubles.endpoint import Say
from knowact.core.closure import Atom, Means, closure
from knowact.core.task import Boundary, Step
from knowact.core.tool import Capability, Dimension
from knowact.tools.agreement import agreement, rests_on
from knowact.tools.annotation import (
    Annotation,
    Annotations,
    Effect,
    annotated,
    declared,
    effect,
    fields_of,
    read_annotations,
    told_parameters,
    write_proposed,
)
from knowact.tools.folder import Hints, OwnTool, ToolFolder, find
from knowact.tools.schemas import learnt
from knowact.tools.sides import Side
from knowact.worlds.everyday.catalogue import TOOLS
from tools.annotators import ASK, EVERYDAY, NAMES, annotate, by_name, folder_of, of, own_tool, say


def external_if(conditions: str) -> str:
    return f"tools:\n  multiply: {{external_if: {conditions}}}\n"


class TestDeclarations:
    def test_every_tool_of_the_everyday_world_survives_being_annotated_by_hand(self, tmp_path: Path) -> None:
        """Its own declarations, written into annotations.yaml, prove just what they proved before."""
        folder = folder_of(tmp_path, map(own_tool, TOOLS))
        said = {
            tool.name: declared(tool).model_dump(mode="json", exclude_none=True, exclude={"open"})
            for tool in TOOLS
        }
        say(folder, yaml.safe_dump({"tools": said}))
        found = by_name(folder)
        for tool in TOOLS:
            one = found[tool.name].tool
            assert one.rubric == tool.rubric
            assert one.capability is not None
            assert tool.capability is not None
            assert _facts(one.capability) == _facts(tool.capability)
            closed = {
                "execution": bool(tool.capability.changes),
                # What its limits are, the world says in code alone.
                "label": one.rubric is not None and one.rubric.when == "by_argument",
            }
            assert {*found[tool.name].closed} == {proof for proof, is_closed in closed.items() if is_closed}

    def test_what_a_call_must_be_told_and_what_it_returns_are_read_off_the_schemas(self) -> None:
        for tool in TOOLS:
            own = own_tool(tool)
            assert tool.capability is not None
            assert set(told_parameters(own)) == {need.parameter for need in tool.capability.needs}
            assert set(fields_of(own)) == set(declared(tool).reports)


def _facts(capability: Capability) -> tuple[Any, ...]:
    reports = sorted((one.field, one.attribute) for one in capability.reports)
    needs = sorted((one.parameter, one.attribute) for one in capability.needs)
    return capability.about, needs, reports, capability.changes, sorted(capability.echoes)


class TestNobodyHasSaid:
    def test_nothing_is_assumed_and_each_tool_says_what_is_closed(
        self, mine: ToolFolder, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = annotate(capsys)
        assert done.code == 0
        assert "what is possible: 0 of 5 tools" in done.out
        assert "no proof of where the boundary lies: nobody has said when its calls are external" in done.out
        for one in annotated(mine):
            assert (one.tool.capability, one.tool.rubric, one.tool.replaceable) == (None, None, None)

    def test_hints_are_shown_and_prove_nothing(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, [own_tool(EVERYDAY["multiply"], Hints(read_only=True))])
        (one,) = annotated(folder)
        assert one.said.writes is None
        assert "execution" in one.closed

    @pytest.mark.parametrize(
        ("hints", "writes"),
        [
            (Hints(), None),
            (Hints(read_only=True), False),
            (Hints(read_only=False), True),
            (Hints(destructive=True), True),
            (Hints(read_only=True, destructive=True), False),
            (Hints(method="GET", read_only=True), False),
            (Hints(method="POST", read_only=False), None),
            (Hints(method="DELETE", read_only=False), True),
        ],
    )
    def test_a_post_may_read_and_a_delete_writes(self, hints: Hints, *, writes: bool | None) -> None:
        own = own_tool(EVERYDAY["multiply"], hints)
        known = {None: Effect.UNKNOWN, True: Effect.WRITES, False: Effect.READS}
        assert effect(own) is effect(own, Annotation(by_person=True)) is known[writes]
        assert [effect(own, Annotation(writes=people)) for people in (True, False)] == ["writes", "reads"]

    def test_who_says_what_a_call_changes_says_that_it_writes(self) -> None:
        own = own_tool(EVERYDAY["multiply"], Hints(method="GET", read_only=True))
        assert effect(own, Annotation(changes=("visit.count",))) is Effect.WRITES


class TestModels:
    def test_what_both_stages_say_becomes_nouns_that_the_proofs_take(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = annotate(capsys, *ASK)
        assert done.code == 0, done.err
        # Attributes once, then three proposals and three votes of the audit for each of five tools.
        assert models.asked.count("") == 1
        assert len(models.asked) == 1 + 5 * 6
        assert "what is possible: 5 of 5 tools" in done.out
        tools = {one.own.name: one.tool for one in annotated(mine)}
        forecast, event = tools["get_forecast"].capability, tools["add_event"].capability
        assert forecast is not None
        assert event is not None
        assert event.changes == EVERYDAY["add_event"].capability.changes  # type: ignore[union-attr]
        given = [Atom("city.name", ("Lisbon",)), Atom(forecast.needs[1].attribute, ("2026-11-23",))]
        wanted = Atom("forecast.high", ("Lisbon", "2026-11-23"))
        assert wanted in closure(given, [Means(forecast)], [])
        assert wanted not in closure(given, [Means(event)], [])

    @pytest.mark.slow
    def test_the_audit_sees_neither_hints_nor_proposals(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hinted = [
            own.model_copy(update={"hints": Hints(read_only=own.name != "add_event")}) for own in mine.tools
        ]
        folder_of(mine.path.parent, hinted)
        assert annotate(capsys, *ASK).code == 0
        proposals = [text for text in models.prompts if text.startswith("You describe")]
        audits = [text for text in models.prompts if text.startswith("You check")]
        assert len(proposals) == len(audits) == 15
        assert all("hints of its source" in text for text in proposals)
        assert not any("hints" in text.rpartition("The tool:")[2] for text in audits)

    @pytest.mark.slow
    def test_a_disagreement_stays_open_and_closes_what_rests_on_it(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def change(tool: str, model: str, number: int, form: dict[str, Any]) -> None:
            if tool == "multiply" and model == "auditor":
                form["when"] = "never"
                form["dimensions"] = dict.fromkeys(form["dimensions"], "no")
            if tool == "get_forecast" and model == "annotator" and number < 3:
                form["reports"]["high_c"] = "forecast.low"
            if tool == "get_current_weather" and number == 1:
                form["writes"] = "yes"

        models.change = change
        done = annotate(capsys, *ASK)
        assert done.code == 0
        found = by_name(mine)
        assert set(found["multiply"].closed) == {"label"}
        assert found["multiply"].said.open == ("computation", "when")
        assert "the annotators disagree when its calls are external" in done.out
        assert set(found["get_forecast"].closed) == {"capability"}
        assert found["get_forecast"].said.open == ("reports.high_c",)
        # One vote of three in each stage is outvoted.
        assert found["get_current_weather"].closed == {}

    @pytest.mark.slow
    def test_models_that_contradict_the_source_leave_it_to_people(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hinted = [own.model_copy(update={"hints": Hints(destructive=True)}) for own in mine.tools]
        folder = folder_of(mine.path.parent, hinted)
        assert annotate(capsys, *ASK).code == 0
        assert models.asked
        found = by_name(folder)
        assert "writes" in found["get_forecast"].said.open
        assert set(found["get_forecast"].closed) == {"capability", "execution"}
        assert "capability" not in found["add_event"].closed

    @pytest.mark.slow
    def test_a_label_that_contradicts_its_dimensions_is_none(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def change(tool: str, _model: str, _number: int, form: dict[str, Any]) -> None:
            if tool == "get_forecast":
                form["when"] = "never"

        models.change = change
        assert annotate(capsys, *ASK).code == 0
        one = by_name(mine)["get_forecast"]
        assert one.tool.rubric is None
        assert "when" in one.said.open

    @pytest.mark.slow
    def test_a_form_that_cannot_be_used_is_said_and_asked_for_again(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        seen: list[str] = []

        def change(tool: str, model: str, number: int, form: dict[str, Any]) -> None:
            if (tool, model, number) == ("multiply", "annotator", 1) and not seen:
                seen.append(tool)
                form["needs"] = dict.fromkeys(form["needs"], "<script>alert(1)</script>")

        models.change = change
        done = annotate(capsys, *ASK, "--max-connections", "1")
        assert done.code == 0, done.err
        assert seen
        assert "script" not in (mine.path / "proposed.yaml").read_text(encoding="utf-8")

    @pytest.mark.slow
    def test_it_goes_on_where_it_was_stopped_and_asks_nothing_twice(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        # Four attempts at the third vote fail.
        def change(tool: str, _model: str, number: int, form: dict[str, Any]) -> None:
            if tool == "multiply" and number == 3:
                form.clear()

        models.change = change
        done = annotate(capsys, *ASK)
        assert done.code == 1
        assert "2 votes could not be obtained" in done.err
        votes = mine.path / "votes.jsonl"
        votes.write_bytes(votes.read_bytes()[:-20])
        models.change = unchanged
        models.asked.clear()
        assert annotate(capsys, *ASK).code == 0
        assert len(models.asked) == 3
        first = (mine.path / "proposed.yaml").read_bytes()
        models.asked.clear()
        assert annotate(capsys, *ASK).code == 0
        assert models.asked == []
        assert (mine.path / "proposed.yaml").read_bytes() == first

    @pytest.mark.slow
    def test_only_what_has_changed_is_asked_again_after_a_new_add(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert annotate(capsys, *ASK).code == 0
        changed = [
            own.model_copy(update={"description": "Otherwise."}) if own.name == "multiply" else own
            for own in mine.tools
        ]
        folder_of(mine.path.parent, changed)
        models.asked.clear()
        assert "where the boundary lies: 4 of 5" in annotate(capsys).out
        assert annotate(capsys, *ASK).code == 0
        assert {*models.asked} == {"", "multiply"}

    @pytest.mark.slow
    def test_without_names_of_attributes_nobody_votes(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.replies = [Say('{"attributes": {"City Name": "x"}}')] * 4
        done = annotate(capsys, *ASK)
        assert done.code == 1
        assert "'City Name' is not an attribute" in done.err
        assert len(models.asked) == 4
        assert not (mine.path / "votes.jsonl").exists()


class TestPeople:
    @pytest.mark.slow
    def test_win_field_by_field_and_survive_a_new_add(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert annotate(capsys, *ASK).code == 0
        assert models.asked
        warmest = "reports: {high_c: forecast.warmest}"
        say(mine, f"tools:\n  get_forecast: {{{warmest}, when: public, fires: []}}\n")
        mine.save()
        one = by_name(find("mine"))["get_forecast"]
        assert one.tool.capability is not None
        reported = {report.field: report.attribute for report in one.tool.capability.reports}
        assert (reported["high_c"], reported["low_c"]) == ("forecast.warmest", "forecast.low")
        assert one.tool.rubric is not None
        assert (one.tool.rubric.when, one.said.answer) == ("public", "public")
        assert one.people == {"reports", "when", "fires"}

    @pytest.mark.slow
    def test_settle_what_models_left_open(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def change(_tool: str, model: str, _number: int, form: dict[str, Any]) -> None:
            form["by_person"] = "yes" if model == "auditor" else "no"

        models.change = change
        assert annotate(capsys, *ASK).code == 0
        assert all("person" in one.closed for one in annotated(mine))
        say(mine, "tools:\n  get_forecast: {by_person: yes}\n")
        one = by_name(mine)["get_forecast"]
        assert one.closed == {}
        assert one.said.open == ()

    @pytest.mark.slow
    def test_are_what_models_are_measured_by(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def change(tool: str, _model: str, _number: int, form: dict[str, Any]) -> None:
            if tool == "multiply":
                form["writes"] = "yes"
            # Another name for the same thing links the same places.
            form["needs"] = {
                name: one.replace("city.name", "town.name") for name, one in form["needs"].items()
            }

        models.change = change
        said = {name: declared(EVERYDAY[name]).model_dump(mode="json", exclude_none=True) for name in NAMES}
        names = {"town.name": "a town"}
        say(mine, yaml.safe_dump({"attributes": names, "tools": said}))
        done = annotate(capsys, *ASK, "--json")
        assert done.code == 0, done.err
        rates = json.loads(done.out[done.out.index("{\n") :])["agreement_with_people"]
        assert (rates["writes"]["value"], rates["writes"]["n"]) == (0.8, 5)
        assert all(rates[one.value]["value"] == 1 for one in Dimension)
        assert rates["links right"]["value"] == 1
        assert rates["links found"]["n"] >= 1

    def test_are_held_against_models_where_they_speak_alone(self, mine: ToolFolder) -> None:
        models = Annotations(tools={name: declared(EVERYDAY[name]) for name in NAMES})
        write_proposed(mine, models)
        people = Annotations.model_validate({"tools": {name: {"writes": False} for name in NAMES}})
        rates = agreement(mine, people, models)
        assert rates["writes"].n == len(NAMES)
        assert rates["links right"].value is None, "people say nothing of links"

    def test_are_said_to_be_what_labels_rest_on(self, mine: ToolFolder) -> None:
        def step(tool: str, boundary: Boundary) -> Step:
            given: dict[str, Any] = {"tool": tool, "boundary": boundary, "question": "what it is"}
            return Step.model_validate(given)

        steps = [
            step("multiply", Boundary.INTERNAL),
            step("multiply", Boundary.INTERNAL),
            step("get_forecast", Boundary.EXTERNAL),
        ]
        say(mine, "tools:\n  multiply: {when: never, fires: []}\n")
        assert rests_on(mine, steps) == (
            "Whether a step needs its tool: people say it of 1 of the 2 tools used; no model was asked.",
        )
        said = {"when": "always", "fires": ["computation"], "open": ["by_person", "about"]}
        wrong = Annotation.model_validate(said)
        write_proposed(
            mine, Annotations(tools={"multiply": wrong, "get_forecast": Annotation(when="always")})
        )
        told = " ".join(rests_on(mine, steps))
        assert "people say it of 1 of the 2 tools used, models of the others." in told
        assert "On what models alone say, proofs would be open for 0 of them." in told
        assert "Of 2 steps that people's words label, they label 2, 0 of them alike." in told
        assert "when 0% of 1" in told
        assert "Models did not agree among themselves on 2 claims" in told

    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ("tools: [", "not YAML"),
            ("- a\n", "no names with values"),
            ("tools:\n  multiply: {wrties: true}\n", r"tools\.multiply\.wrties'.*no such field"),
            ("tools:\n  multiply: {needs: {left: City}}\n", "'City' is not an attribute"),
            ("tools:\n  multiply: {reports: {product: [echo, 1]}}\n", "string"),
            ("tools:\n  multiply: {fires: [size]}\n", "fires"),
            ("tools:\n  multiply: {when: never, fires: [scale]}\n", "fires on no dimension"),
            ("tools:\n  multiply: {when: always, fires: []}\n", "one dimension at least"),
            ("tools:\n  multiply: {writes: false, changes: [a.b]}\n", "changes nothing"),
            (external_if("{scale: {left: {minimum: 1}}, when: always}"), r"external_if\.when"),
            (external_if("{scale: {left: {minium: 1}}}"), r"external_if\.scale.*'minium' was unexpected"),
            (
                external_if("{scale: {left: {anyOf: [{minimum: a}]}}}"),
                r"anyOf: 0: minimum: 'a' is not of type",
            ),
            (
                external_if("{scale: [{left: {$ref: 'http://localhost/'}}]}"),
                r"scale\.0\.left'.*\$ref and format are not",
            ),
            (external_if("{scale: {left: {format: date}}}"), "format are not taken"),
            (external_if("{scale: {left: {pattern: '('}}}"), "is not a 'regex'"),
            (external_if("{scale: {left: .nan}}"), "out of range|not a JSON Schema"),
            (external_if("{scale: {left: 5}}"), "not a JSON Schema of a value"),
            (external_if("{scale: []}"), "at least 1 item"),
            (external_if("{scale: {}}"), "at least 1 item"),
            (external_if("{size: {left: {minimum: 1}}}"), r"external_if\.size"),
            (external_if("{}"), "one dimension at least"),
            (
                external_if("{scale: {left: true}}, fires: [privacy]"),
                "names scale, which is not among `fires`",
            ),
            (external_if("{scale: {left: true}}, when: always"), "external 'always', no arguments decide"),
            ("tools:\n  multiply: {internal_if: {left: true}, when: never}\n", "no arguments decide"),
        ],
    )
    def test_get_a_sentence_for_a_mistake(
        self, mine: ToolFolder, capsys: pytest.CaptureFixture[str], text: str, what: str
    ) -> None:
        say(mine, text)
        done = annotate(capsys)
        assert done.code == 2
        assert str(mine.annotations) in done.err
        import re

        assert re.search(what, done.err), done.err

    def test_are_told_of_names_that_nothing_has(
        self, mine: ToolFolder, capsys: pytest.CaptureFixture[str]
    ) -> None:
        say(mine, "tools:\n  multply: {writes: no}\n  multiply: {needs: {up: a.b}, reports: {down: none}}\n")
        done = annotate(capsys)
        assert done.code == 0
        assert "names multply, which mine does not have" in done.err
        assert "a parameter 'up' that multiply does not have" in done.err
        assert "a field 'down' that multiply does not return" in done.err


def test_a_result_that_nobody_described_closes_what_needs_it(tmp_path: Path) -> None:
    own = OwnTool(name="now", parameters={"type": "object"}, sha256="x")
    folder = folder_of(tmp_path, [own])
    say(
        folder, "tools:\n  now: {writes: no, fires: [temporality], when: always, about: [], by_person: yes}\n"
    )
    (one,) = annotated(folder)
    assert set(one.closed) == {"capability", "execution"}
    assert "record calls" in one.closed["capability"]
    say(folder, "tools:\n  now: {writes: no, about: [], reports: {time: present.time}}\n")
    (one,) = annotated(folder)
    assert one.tool.capability is not None
    assert one.tool.capability.gives() == {"present.time"}


def test_people_who_say_what_a_tool_changes_say_that_it_writes(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, [own_tool(EVERYDAY["add_event"])])
    (folder.path / "proposed.yaml").write_text("tools:\n  add_event: {writes: false}\n", encoding="utf-8")
    say(folder, "tools:\n  add_event: {changes: [event.added]}\n")
    (one,) = annotated(folder)
    assert (one.said.writes, one.said.changes) == (True, ("event.added",))


def test_the_examples_of_the_page_are_what_the_reader_takes(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "annotating.md").read_text(encoding="utf-8")
    file = tmp_path / "annotations.yaml"
    _, *blocks = page.split("```yaml\n")
    said: dict[str, Annotation] = {}
    for block in blocks:
        file.write_text(block.split("```")[0], encoding="utf-8")
        said |= read_annotations(file).tools
    assert said["get_weather"].answer == "live"
    assert said["get_weather"].reports["note"] == ("none",)
    assert said["cancel_order"].changes == ("order.cancelled",)
    folder = folder_of(tmp_path, [own_tool(EVERYDAY["sort_lines"])])
    say(folder, blocks[1].split("```")[0])
    (sorts,) = annotated(folder)
    assert set(sorts.closed) == {"capability", "execution", "person"}
    assert of(sorts)({"text": "a\n" * 30}) == Side(None)  # short, and many lines
    assert of(sorts)({"text": "pear\nfig"}) == Side(Boundary.INTERNAL)


class TestFieldsOfAResult:
    def fields(self, returns: dict[str, Any]) -> tuple[str, ...]:
        return fields_of(OwnTool(name="a", parameters={}, returns=returns))

    def test_a_result_that_may_be_null_has_those_of_what_it_is_else(self) -> None:
        null, text = {"type": "null"}, {"type": "string"}
        place = {"anyOf": [{"type": "object", "properties": {"zone": text}}, null]}
        item = {"type": "object", "properties": {"place": place, "name": {"oneOf": [text, null]}}}
        assert self.fields({"oneOf": [item, null]}) == ("place.zone", "name")

    def test_a_result_of_several_kinds_has_those_of_all(self) -> None:
        def pet(name: str) -> dict[str, Any]:
            return {"type": "object", "properties": {"kind": {"type": "string"}, name: {"type": "integer"}}}

        every: dict[str, Any] = {"type": "array", "items": {"anyOf": [pet("lives"), pet("barks")]}}
        assert self.fields(every) == ("[].kind", "[].lives", "[].barks")

    def test_a_result_learnt_as_an_object_or_a_list_has_those_of_both(self) -> None:
        learned = learnt([{"sku": "a"}, [{"sku": "b"}, {"sku": "c"}]])
        assert learned is not None
        assert self.fields(learned) == ("sku", "[].sku")


def test_a_tool_that_stands_twice_among_annotations_is_refused(
    mine: ToolFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    say(mine, "tools:\n  multiply: {writes: false}\n  multiply: {by_person: true}\n")
    done = annotate(capsys)
    assert done.code == 2
    assert "annotations.yaml:3: this is not YAML (the name 'multiply' stands there twice)" in done.err
