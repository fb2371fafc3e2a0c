"""Names and other texts: what does a reply say about such a fact?"""

import re
from collections.abc import Iterator, Sequence

from knowact.reading.anchors import Label, anchor, read_label
from knowact.reading.folding import fold_words
from knowact.reading.polarity import Polarity, polarity
from knowact.reading.reply import Reply
from knowact.reading.weighing import Statement, Weighed, weigh


def weigh_text(values: Sequence[str], label: str, reply: Reply) -> Weighed:
    """Weigh a text that may be put in several ways."""
    prepared = read_label(label)
    statements = list[Statement]()
    spans = sorted({span for value in values for span in occurrences(value, reply)})
    end_of_last = -1
    for start, end in spans:
        if start < end_of_last:
            continue
        end_of_last = end
        stand = polarity(reply, start, end)
        if stand is Polarity.ASSERTED and (_is_alternative(reply, start, end) or _is_retracted(reply, end)):
            stand = Polarity.HEDGED
        around = anchor(reply, _own_words_only(prepared), (start, end), (0, len(reply.plain)))
        statements.append(Statement(start, end, right=True, polarity=stand, anchor=around))
    return weigh(reply, statements)


def _own_words_only(label: Label) -> Label:
    """For texts only opposites tell of something else: other names beside a name are normal."""
    return Label(label.text, label.words, (), label.sides)


def occurrences(value: str, reply: Reply) -> Iterator[tuple[int, int]]:
    """Where a text stands as whole words, whatever marks separate them there."""
    pieces = re.findall(r"\w+", fold_words(value))
    if not pieces:
        pieces = [piece for piece in [value.strip()] if piece]
    if not pieces:
        return
    pattern = r"(?<!\w)(?<!\w-)" + r"[^\w\n]{0,3}".join(map(re.escape, pieces)) + r"(?!\w|-\w)"
    for match in re.finditer(pattern, reply.plain):
        yield match.span()


_MORE = r"(?:,[ ]+[^\s,.;:?!]+(?:[ ][^\s,.;:?!]+){0,3}){0,8}"
_OR = r"or|oder|ou|oppure|o|of"
_ARTICLE = r"(?:(?:the|a|an|der|die|das|le|la|el|il|de|het) )?"
_OR_AFTER = re.compile(rf"[\"')]{{0,2}}{_MORE},?[ ]+({_OR})\b(?! else)")
_OR_BEFORE = re.compile(rf"\b({_OR}|either)[ ]+{_ARTICLE}[\"']?\Z")


def _is_alternative(reply: Reply, start: int, end: int) -> bool:
    if "/" in {reply.plain[end : end + 1], reply.plain[max(0, start - 1) : start]}:
        return True
    for match in (
        _OR_AFTER.match(reply.plain, end, end + 200),
        _OR_BEFORE.search(reply.plain, max(0, start - 16), start),
    ):
        if match and _joins(match[1], reply):
            return True
    return False


def _is_retracted(reply: Reply, end: int) -> bool:
    """Whether the answer is taken back further down."""
    return any(reply.is_answer(hit[0]) for hit in reply.hits("retraction", end, end + 300))


def _joins(word: str, reply: Reply) -> bool:
    """Whether a short word means "or" in the reply's language ("o" does in Spanish, not in Portuguese)."""
    return {"o": reply.language in {"es", "it"}, "of": reply.language == "nl"}.get(word, True)
