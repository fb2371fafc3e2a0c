"""What a sentence of the assistant claims to have done. Pure; its words are in `claiming.toml`.

A deed is claimed by a beginning and a verb ("I've set", "has been sent"), by any past participle in such a
place ("I went ahead and popped"), by one that opens or ends a clause ("Switched on ...", "Navigation
started!"), or by a state that is the one wished for ("is on", "Ambient light: pink").
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

from knowact.people.cue_lists import done, end_of, has, speaks_of

RIGHT_AFTER: Final = 12
"""Characters behind "I've" or "has been" in which a "not" still belongs to it."""
_BETWEEN: Final = (
    r"(?: (?:now|just|already|also|then|successfully|gone ahead and|went ahead and|did|all|both|fully|since))"
)
_IRREGULAR: Final = (
    "begun|brought|chosen|cut|drawn|driven|hung|lit|put|rung|sent|set|reset|shut|slid|spun|taken|thrown"
    "|withdrawn|written"
)
"""Participles of deeds that don't end in "ed"; those of looking and telling ("read", "told") are none."""
_VERB: Final = rf"(?P<verb>[a-z]{{2,}}ed|{_IRREGULAR}|turn|switch)\b"
_DEED: Final = re.compile(
    rf"(?:\b(?:(?:i|we)(?:'ve| have| had)?|(?:was|were|is|are) being)"
    rf"|(?:\b(?:has|have)|'s|'ve){_BETWEEN}? been){_BETWEEN}{{0,3}} {_VERB}"
)
_OPENS: Final = re.compile(
    r"\A[^a-z]*(?:(?:also|and|then|now|just|successfully) )?(?P<verb>[a-z]{2,}ed|sent)\b(?! by\b)"
)
_ENDS: Final = re.compile(
    r"\A[^a-z]*(?:(?!is |are |was |were |it |be |stays? |remains? |kept |keeps? )[a-z-]+ ){1,4}"
    r"(?P<verb>[a-z]{2,}ed|sent|set)\W*\Z"
)
_BE: Final = r"(?:\b(?:is|are)|'s|'re|\bshould now be|:)"
_SOON: Final = r"(?: (?:now|all|both|fully|completely|entirely|back|halfway|half|being))*"
_ON: Final = re.compile(
    rf"{_BE}{_SOON} (?:on|open|opened|active|activated|enabled|running|directed|heated|lit"
    r"|in place|under way|underway|dimmed|lowered|raised|adjusted|updated|added|replaced|connected|sent"
    r"|(?:switched|turned) (?:on|off|up|down))\b(?! the\b| a\b)"
    r"|\b(?:is|are)(?: now| already)* (?:heating|warming up|glowing|shining|blowing|flowing|cooling)\b"
)
_OFF: Final = re.compile(
    rf"{_BE}{_SOON} (?:off|closed|shut|deactivated|disabled|gone|removed|cancelled"
    r"|deleted|ended|stopped|up(?! and)|(?:switched|turned) off)\b(?! the\b| a\b| to\b)"
)
_SET_TO: Final = re.compile(
    r"(?:\b(?:is|are|now)|'s|'re)(?: now)? set (?:to|at|on) (?P<value>\d+(?:[.,]\d+)?)"
)
_LET_KNOW: Final = re.compile(r"\bi(?:'ve)? let [\w ]{2,30}? know\b")
_BARE: Final = re.compile(
    r"\W*(?:okay|ok|alright|all right|great|perfect|sure|so|and)?\W*(?:it's |that's |all |consider it )?"
    r"(?:done|sorted|taken care of)\b(?: for you| now)?\W*"
)
_FOREIGN: Final = re.compile(
    r"\bc'est fait\b|\bj'ai (?:bien |deja )?(?:ouvert|ferme|active|desactive|allume|eteint|regle|envoye"
    r"|ajoute|mis|lance|demarre|appele|supprime|baisse|monte|augmente|reduit|coupe|modifie|change|annule|arrete"
    r"|remplace)e?s?\b"
    r"|\bich habe\b(?![^.!?]*\b(?:\w*gesehen|\w*geschaut|\w*gesucht|keine?n?|nichts?)\b)"
    r"[^.!?]*\b(?:(?:ein|aus|an|ab|um|auf|zu)ge\w+(?:t|en)|geoffnet|geschlossen|gestellt|gesetzt|geandert"
    r"|gesendet|geschickt|gestartet|hinzugefugt|aktiviert|deaktiviert|angerufen|erhoht|gesenkt|entfernt"
    r"|geloscht)\b"
    r"|\berledigt\b|\A\W*listo\b(?! para)|\A\W*fatto\b|\bhe (?:abierto|puesto|\w*(?:anadido|activado|cerrado"
    r"|encendido|apagado|enviado|ajustado|cambiado|eliminado|subido|bajado|llamado|configurado|iniciado))\b"
    r"|\bho (?:aperto|messo|acceso|spento|chiuso|\w*(?:attivato|impostato|aggiunto|inviato|mandato|cambiato"
    r"|rimosso|alzato|abbassato|chiamato|avviato))\b|\u5df2\u7ecf(?!\u627e|\u67e5|\u770b)"
)
"""A deed in French, German, Spanish, Italian or Chinese."""
_VALUE: Final = re.compile(
    r"[^.;,?!:]{0,30}?(?:\b(?:is|are|goes|blows|flows|points|runs)\b|'s\b|'re\b|:| =| ->| [\u2013-])"
    r"(?: (?:now|already|set|to|at|on|level|running|heating|warming up|glowing|directed|pointing|the|your))*"
    r" (?P<value>[a-z]+|\d+(?:[.,]\d+)?)(?![\w-]| of\b)"
)
"""What stands between a thing and its value, and the value."""


@cache
def lists() -> dict[str, Any]:
    """All of `claiming.toml`."""
    return tomllib.loads(files("knowact.people").joinpath("claiming.toml").read_text("utf-8"))


def listed(name: str) -> tuple[str, ...]:
    """One list of words of `claiming.toml`."""
    return tuple(cast("list[str]", lists()[name]))


def says_done(clause: str) -> bool:
    """Whether a folded clause says that something was done; a denial stands before it, or right behind it."""
    ends = [end_of(done(), clause), *(_deed_end(pattern, clause) for pattern in (_DEED, _OPENS, _ENDS))]
    found = _LET_KNOW.search(clause)
    ends.append(None if found is None else found.end())
    return any(end is not None and not has("undone", clause[: end + RIGHT_AFTER]) for end in ends)


def _deed_end(pattern: re.Pattern[str], clause: str) -> int | None:
    """Where the first deed of a kind ends; looking, trying and wanting are none."""
    found = pattern.finditer(clause)
    return next((one.end() for one in found if not speaks_of(listed("no_deed"), one["verb"])), None)


def says_it_is_done(plain: str) -> bool:
    """Whether a folded sentence says that something was done and names nothing ("Done!", "I've done it")."""
    if has("undone", plain) or speaks_of(listed("plans"), plain):
        return False
    if _BARE.fullmatch(plain) is not None or _FOREIGN.search(plain) is not None:
        return True
    found = _DEED.search(plain)
    if found is None or any(speaks_of(listed(name), found["verb"]) for name in ("no_deed", "no_job")):
        return False
    return not speaks_of(listed("car_things"), plain)


def says_state(clause: str, head: str, names: Sequence[str], wished: str) -> bool:
    """Whether a clause says that a thing is as wished: off where the driver spoke of off or shut, else on.

    Args:
        clause: Folded.
        head: What it stands under.
        names: Words for the thing; it stands before its state.
        wished: The driver's words, folded.
    """
    if has("undone", clause) or speaks_of(listed("as_before"), clause):
        return False
    away = speaks_of(listed("away"), wished)
    found = (_OFF if away else _ON).search(clause)
    return found is not None and speaks_of(names, f"{head} {clause[: found.start()]}")


def says_wished(plain: str, head: str, names: Sequence[str], wished: str) -> str:
    """Return the value that the driver wished for and a sentence gives to a thing; "" where it gives none.

    Args:
        plain: The sentence, folded ("ambient light: pink").
        head: What it stands under.
        names: Words for the thing.
        wished: The driver's words, folded.
    """
    if any(has(name, plain) for name in ("undone", "admits")) or speaks_of(listed("no_value"), plain):
        return ""
    text = plain if speaks_of(names, plain) else f"{head}: {plain}"
    end = end_of(names, text)
    found = None if end is None else _VALUE.match(text, end) or _SET_TO.search(text)
    value = "" if found is None else found["value"]
    known = value[:1].isdigit() or value in (*listed("numbers"), *listed("wishes"))
    return value if known and any(speaks_of((form,), wished) for form in _forms(value)) else ""


def _forms(value: str) -> Sequence[str]:
    """A value, as a number and as a word."""
    numbers = listed("numbers")
    if value.isdigit() and int(value) < len(numbers):
        return value, numbers[int(value)]
    return (value, str(numbers.index(value))) if value in numbers else (value,)
