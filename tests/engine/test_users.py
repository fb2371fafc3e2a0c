"""Users as the loop sees them: a person has the terminal to themselves, the script refuses models."""

import asyncio

import pytest

from knowact.core.conversation import Control
from knowact.core.declared import Act, Declared
from knowact.core.errors import BadUsage
from knowact.engine import users
from knowact.engine.terminal import NobodyThere
from knowact.engine.users import AtTerminal, Scripted
from knowact.roles.lines import UserLine
from knowact.roles.script import Script
from knowact.roles.simulated_user import ScriptedUser


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What stands on the screen; each text is answered with its number, the third with /stop."""
    texts: list[str] = []

    async def ask(text: str) -> str:
        texts.append(text)
        await asyncio.sleep(0)
        return "/stop" if len(texts) % 3 == 0 else f"  line   {len(texts)} "

    monkeypatch.setattr(users, "ask_at_terminal", ask)
    return texts


def test_a_person_sees_the_scenario_once_and_then_what_is_said(shown: list[str]) -> None:
    async def drive() -> list[UserLine]:
        person = AtTerminal(("You want the window open.",))
        said = [
            await person.open(),
            await person.answer("Which\x1b[2J one?", None),
            await person.answer("", None),
        ]
        person.leave()
        return said

    assert asyncio.run(drive()) == [UserLine("line 1"), UserLine("line 2"), UserLine("", Control.STOP)]
    assert "You want the window open." in shown[0]
    assert "\x1b" not in shown[1]
    assert shown[2].strip() == "The assistant: (nothing)"


def typing(monkeypatch: pytest.MonkeyPatch, *typed: str) -> list[str]:
    """These lines are typed, one at each question; then nobody is there any more."""
    queue, texts = list(typed), list[str]()

    async def ask(text: str) -> str:
        texts.append(text)
        if not queue:
            raise NobodyThere("nobody answers at the terminal")
        return queue.pop(0)

    monkeypatch.setattr(users, "ask_at_terminal", ask)
    return texts


async def opened() -> UserLine:
    person = AtTerminal(("You want the window open.",))
    try:
        return await person.open()
    finally:
        person.leave()


def test_a_person_who_types_nothing_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = typing(monkeypatch, "", " \t ", "Open it.")
    assert asyncio.run(opened()) == UserLine("Open it.")
    assert len(texts) == 3
    assert texts[1] == texts[2] == "Nothing was typed. Say something, or leave with /stop."


def test_three_empty_lines_in_a_row_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = typing(monkeypatch, *[""] * 9)
    assert asyncio.run(opened()) == UserLine("", fault="empty")
    assert len(texts) == 3


def test_the_end_of_the_input_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch)
    assert asyncio.run(opened()) == UserLine("", fault="gone")


def test_leaving_after_an_empty_line_is_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "", "/STOP")
    assert asyncio.run(opened()) == UserLine("", Control.STOP)


def test_one_conversation_at_a_time(shown: list[str]) -> None:
    order: list[str] = []

    async def drive(name: str) -> None:
        person = AtTerminal((name,))
        await person.open()
        await person.answer(name, None)
        order.extend([name, name])
        await asyncio.sleep(0)
        person.leave()

    async def both() -> None:
        await asyncio.gather(drive("a"), drive("b"))

    asyncio.run(both())
    assert [text.rsplit(" ", maxsplit=1)[-1] for text in shown if "The assistant" in text] == ["a", "b"]
    assert order == ["a", "a", "b", "b"]


def test_leaving_twice_or_before_the_beginning_does_no_harm(shown: list[str]) -> None:
    async def drive() -> None:
        person = AtTerminal(())
        person.leave()
        await person.open()
        person.leave()
        person.leave()

    asyncio.run(drive())
    assert len(shown) == 1


def test_the_script_answers_what_is_declared_and_refuses_who_declares_nothing() -> None:
    user = Scripted(ScriptedUser(Script(opening="Open the blind."), answers={"far": "Half way."}))

    async def play() -> list[UserLine]:
        asked = Declared(acts=(Act("asked", "far", "How far?"),))
        return [await user.open(), await user.answer("How far?", asked)]

    assert [one.text for one in asyncio.run(play())] == ["Open the blind.", "Half way."]
    with pytest.raises(BadUsage, match="--role user=MODEL"):
        asyncio.run(user.answer("How far?", None))


def test_a_person_can_read_the_scenario_again_and_a_command_misspelt_is_not_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = typing(monkeypatch, "/wish", "/stpo", "x" * 2001, "Open it.")
    assert asyncio.run(opened()) == UserLine("Open it.")
    assert texts[1].startswith("You want the window open.")
    assert "no command /stpo" in texts[2]
    assert "too long (2,001 characters" in texts[3]
