"""The folder of tools: what is written is read again, and what is wrong in it is said with its place."""

from datetime import date
from pathlib import Path

import pytest

from knowact.core.errors import BadData, BadUsage, UnknownName
from knowact.tools.folder import Hints, OwnTool, Route, Source, ToolFolder, find, folder_named

LIST = OwnTool(
    name="list_cats",
    description="All cats: \N{CAT FACE}.",
    parameters={"type": "object", "properties": {"limit": {"type": "integer", "default": 3}}},
    hints=Hints(read_only=True, method="GET"),
    route=Route(path="/cats", places={"limit": "query"}),
    odd=("it has no output schema",),
    sha256="ab",
)
ADOPT = OwnTool(name="adopt", parameters={"type": "object"}, sha256="cd")
CATS = Source(
    kind="openapi",
    url="http://127.0.0.1:9",
    headers={"Authorization": "Bearer ${CATS_TOKEN}"},
    added=date(2026, 11, 23),
)


def folder(root: Path) -> ToolFolder:
    made = ToolFolder(root / "cats", CATS, (LIST, ADOPT))
    made.save()
    return made


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    made = folder(tmp_path)
    read = ToolFolder.load(made.path)
    assert read.tools == made.tools
    assert read.source.model_copy(update={"sha256": ""}) == CATS
    read.save()
    assert ToolFolder.load(made.path) == read


def test_saving_leaves_annotations_and_recordings_alone(tmp_path: Path) -> None:
    made = folder(tmp_path)
    made.annotations.write_text("list_cats: mine\n", encoding="utf-8")
    made.recordings.write_text("{}\n", encoding="utf-8")
    made.save()
    assert made.annotations.read_text("utf-8") == "list_cats: mine\n"
    assert made.recordings.read_text("utf-8") == "{}\n"


def test_an_edit_by_people_does_not_change_the_hash_of_what_was_read() -> None:
    assert LIST.hashed() == LIST.model_copy(update={"odd": ()}).hashed()
    learnt = LIST.model_copy(update={"returns": {"type": "object"}, "returns_learnt": True})
    assert learnt.hashed() == LIST.hashed()
    assert LIST.model_copy(update={"description": "Dogs"}).hashed() != LIST.hashed()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("tools.jsonl", '{"name": "a"}\n', r"tools\.jsonl:1, field 'parameters': this field is missing"),
        ("tools.jsonl", '{"name": "a", "parameters": {}}\n' * 2, r"tools\.jsonl:2.*stands in line 1, too"),
        ("tools.jsonl", "{\n", r"tools\.jsonl:1: the line is"),
        ("tools.jsonl", "\n", r"there is no tool in it"),
        ("source.yaml", "kind: [\n", r"source\.yaml:2: this is not YAML"),
        ("source.yaml", "kind: ftp\nadded: 2026-01-01\n", r"field 'kind': input should be 'mcp-stdio'"),
        ("source.yaml", "added: 2026-99-01\n", r"source\.yaml"),
        ("source.yaml", "- a\n", r"holds no names with values"),
        (
            "source.yaml",
            "kind: openapi\nadded: 2026-01-01\nheaders: {X-Key: s3cr3t}\n",
            r"'X-Key' must name an environment variable, as \$\{NAME\}",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, file: str, text: str, said: str) -> None:
    made = folder(tmp_path)
    (made.path / file).write_text(text, encoding="utf-8")
    with pytest.raises(BadData, match=said):
        ToolFolder.load(made.path)


@pytest.mark.parametrize("name", ["../etc", "", "a b", "-a", "a/b", "x" * 65])
def test_a_name_that_is_no_folder_of_ours_is_refused(name: str) -> None:
    with pytest.raises(BadUsage, match="cannot name tools"):
        folder_named(name)


def test_tools_that_were_never_added_are_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    folder(tmp_path)
    assert find("cats").name == "cats"
    with pytest.raises(UnknownName, match="Did you mean 'cats'"):
        find("cat")
