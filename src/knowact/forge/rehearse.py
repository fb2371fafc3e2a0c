"""For authors of phrasings: `python -m knowact.forge.rehearse AREA [TOOL ...]`.

Checks every entry of a file against the tools (slots, fields, registers, drawn calls on the declared
side of the boundary, nothing unsaid) and prints each text once, filled with drawn arguments. A text is
to be read aloud before it goes in.
"""

import math
import sys
from collections.abc import Iterator
from typing import Final

from knowact.core.seeds import generator
from knowact.core.world import Call
from knowact.forge import bind
from knowact.forge.words import (
    FEWEST_ASKS,
    FEWEST_CLAUSES,
    REGISTERS,
    Ask,
    Clause,
    OneOf,
    Variant,
    Words,
    read,
    slots,
    texts,
)
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS
from knowact.worlds.everyday.contract import Operation

_SEED: Final = 27
_ROUNDS: Final = 40
_FEWEST_DRAWS: Final = 8


def complaints(tool: str, words: Words) -> Iterator[str]:
    """Yield everything that is wrong with an entry, a sentence each."""
    operation = OPERATIONS.get(tool)
    if operation is None:
        yield f"there is no tool named {tool!r}"
        return
    for number, variant in enumerate(words.variants):
        where = f"variant {number} ({variant.side.value})"
        yield from (f"{where}: {problem}" for problem in _texts(operation, words, variant))
        yield from (f"{where}: {problem}" for problem in _calls(operation, words, variant))
    yield from _fields(operation, words)


def _fields(operation: Operation, words: Words) -> Iterator[str]:
    assert operation.tool.capability is not None, "every tool of the everyday world declares one"
    known = {report.field for report in operation.tool.capability.reports}
    for name, field in words.fields.items():
        if name not in known:
            yield f"the field {name!r} is not reported by the tool (or is an echo)"
        for template in (field.label, *field.noun, *field.again):
            for variant in words.variants:
                if unknown := slots(template) - variant.draw.keys():
                    yield f"field {name!r}: not drawn in every variant: {sorted(unknown)} of {template!r}"
        if bool(field.noun) != bool(field.again):
            yield f"field {name!r}: 'noun' and 'again' go together"
    takers = {flow for other in OPERATIONS.values() for flow in other.takes.values()}
    for name, flow in operation.yields.items():
        if flow in takers and name in words.fields and not words.fields[name].noun:
            yield f"field {name!r} could feed a parameter of type {flow!r}, but has no 'noun' and 'again'"


def _texts(operation: Operation, words: Words, variant: Variant) -> Iterator[str]:
    asks, clauses = words.asks_of(variant), words.clauses_of(variant)
    if len(asks) < FEWEST_ASKS:
        yield f"{len(asks)} asks, at least {FEWEST_ASKS} are needed"
    if missing := set(REGISTERS) - {ask.tone for ask in asks}:
        yield f"no ask in the registers {sorted(missing)}"
    if len(clauses) < FEWEST_CLAUSES:
        yield f"{len(clauses)} clauses, at least {FEWEST_CLAUSES} are needed"
    for text in texts(words, variant):
        yield from (f"{text.text[:50]!r}: {problem}" for problem in _text(operation, words, variant, text))


def _text(operation: Operation, words: Words, variant: Variant, text: Ask | Clause) -> Iterator[str]:
    if odd := slots(text.text) ^ variant.draw.keys():
        yield f"slots and drawn parameters differ by {sorted(odd)}"
    if unknown := set(text.wants) - words.fields.keys():
        yield f"wants {sorted(unknown)}, of which 'fields' says nothing"
    spoken = _spoken(text.text, words, variant)
    for name, fixed in variant.fixed.items():
        if fixed.said and not any(form.casefold() in spoken for form in fixed.said):
            yield f"nothing says {name!r} ({' or '.join(fixed.said)})"
    if operation.tool.name.replace("_", " ") in spoken or operation.tool.name in spoken:
        yield "names the tool"
    if isinstance(text, Clause) and (text.text[-1:] in ".?!" or text.text[:1].isupper()):
        yield "a clause starts small and has no full stop"


def _spoken(text: str, words: Words, variant: Variant) -> str:
    """A text with the wordings of its parameters, for finding what they say."""
    said = [words.say_of(variant, name) for name in slots(text)]
    return " ".join(
        [text, *(form if isinstance(form, str) else " ".join(form.values()) for form in said)]
    ).casefold()


def _calls(operation: Operation, words: Words, variant: Variant) -> Iterator[str]:
    known = operation.tool.properties.keys()
    if unknown := (variant.draw.keys() | variant.fixed.keys()) - known:
        yield f"there are no parameters {sorted(unknown)}"
        return
    if missing := set(operation.tool.required) - variant.draw.keys() - variant.fixed.keys():
        yield f"the required parameters {sorted(missing)} are neither drawn nor fixed"
        return
    seen: set[str] = set()
    for turn in range(_ROUNDS):
        bound = bind.arguments(words, variant, generator(_SEED, "rehearse", operation.tool.name, turn))
        call = {name: said.value for name, said in bound.items()}
        seen.add(repr(sorted(call.items())))
        result = EverydayWorld().open({}, _SEED).call(Call(operation.tool.name, call))
        if result.problem is not None:
            yield f"a drawn call is refused: {call}: {result.problem.message}"
            return
        side = operation.boundary(call)
        if side is not variant.side:
            yield f"a drawn call is {side.value}: {call}"
            return
    if variant.draw and len(seen) < min(_FEWEST_DRAWS, _possible(variant)):
        yield f"only {len(seen)} different calls in {_ROUNDS} draws"


def _possible(variant: Variant) -> int:
    """How many calls can be drawn where all arguments come from lists; else as many as anybody wants."""
    lists = [how.one_of for how in variant.draw.values() if isinstance(how, OneOf)]
    return math.prod(map(len, lists)) if len(lists) == len(variant.draw) else _ROUNDS


def samples(tool: str, words: Words) -> Iterator[str]:
    """Yield every text once, filled."""
    for number, variant in enumerate(words.variants):
        yield f"{tool}, {variant.side.value}"
        for turn, text in enumerate(texts(words, variant)):
            bound = bind.arguments(words, variant, generator(_SEED, "sample", tool, number, turn))
            kind = getattr(text, "tone", None) or f"({getattr(text, 'mode', '')})"
            shown = bind.filled(text.text, bound, opens=isinstance(text, Ask))
            yield f"  {kind:8} {shown}   [{', '.join(text.wants)}]"
        for name, field in words.fields.items():
            bound = bind.arguments(words, variant, generator(_SEED, "sample", tool, number, name))
            for noun in field.noun:
                shown = bind.filled(noun, bound)
                yield f"  noun     … {shown} …   / {' / '.join(field.again)}   [{name}]"


def main(arguments: list[str]) -> int:
    """Print samples and complaints; return 1 if there are complaints."""
    wrong = 0
    for tool, words in read(arguments[0]).items():
        if arguments[1:] and tool not in arguments[1:]:
            continue
        found = list(complaints(tool, words))
        lines = [] if any("parameters" in problem for problem in found) else list(samples(tool, words))
        wrong += len(found)
        print("\n".join([*lines, *(f"!! {tool}: {problem}" for problem in found), ""]))  # noqa: T201 - its purpose
    print(f"{wrong} complaints")  # noqa: T201 - its purpose
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
