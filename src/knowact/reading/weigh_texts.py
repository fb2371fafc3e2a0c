"""Names and other texts: what does a reply say about such a fact?"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from knowact.reading.anchors import Label, anchor, read_label
from knowact.reading.folding import fold_words
from knowact.reading.other_texts import other_texts
from knowact.reading.polarity import Polarity, polarity
from knowact.reading.reply import Reply, Span
from knowact.reading.weighing import Statement, Weighed, weigh

_APPOSITION = re.compile(r"(?:,[ ]|[ ]\()(?:in )?")


def weigh_text(values: Sequence[str], label: str, reply: Reply, welcome: Sequence[str] = ()) -> Weighed:
    """Weigh a text that may be put in several ways.

    Args:
        values: The text and its aliases.
        label: The fact's label.
        reply: The reply.
        welcome: Texts of other facts; they do not contradict this one.
    """
    prepared = read_label(label)
    right = _without_overlaps({span for value in values for span in occurrences(value, reply)})
    if not right:
        return Weighed("absent", None, "the value does not occur")
    known = {span for value in welcome for span in occurrences(value, reply)}
    taken = sorted({*right, *known})
    others = [
        span for span in other_texts(values[0], prepared, reply) if _is_free(span, taken, set(right), reply)
    ]
    spans = sorted([*((span, True) for span in right), *((span, False) for span in others)])
    statements = list[Statement]()
    for index, ((start, end), is_right) in enumerate(spans):
        stand = polarity(reply, start, end)
        if stand is Polarity.DENIED and not is_right and _denied_as_subject(reply, end):
            stand = Polarity.IGNORED
        if stand is Polarity.ASSERTED and _denied_as_subject(reply, end):
            stand = Polarity.DENIED
        if stand is Polarity.ASSERTED and (
            is_listed(reply, start, end) or _is_alternative(reply, start, end)
        ):
            stand = Polarity.HEDGED
        if stand is Polarity.ASSERTED and is_right and _is_retracted(reply, end):
            stand = Polarity.HEDGED
        neighbours = (
            spans[index - 1][0][1] if index else 0,
            spans[index + 1][0][0] if index + 1 < len(spans) else len(reply.plain),
        )
        around = anchor(reply, _own_words_only(prepared), (start, end), neighbours)
        statements.append(Statement(start, end, is_right, stand, around))
    if not others:
        statements = [_unless_replaced(reply, one, right) for one in statements]
    return weigh(reply, prepared, statements, by_frame=True)


def _unless_replaced(reply: Reply, statement: Statement, right: Sequence[Span]) -> Statement:
    """A text whose rivals cannot be told by their looks: a correction or the same words again replace it."""
    if statement.polarity is not Polarity.ASSERTED:
        return statement
    begin, close = reply.sentence(statement.start)
    following = reply.sentence(close)[1]
    later = [span for span in right if span[0] > statement.end]
    corrected = [
        hit
        for hit in reply.hits("correction", statement.end, following)
        if reply.is_answer(hit[0]) and not any(span[0] > hit[0] for span in later)
    ]
    if corrected and re.search(r"\w", reply.plain[corrected[-1][1] : following]):
        return replace(statement, polarity=Polarity.HEDGED)
    lead = reply.plain[begin : statement.start].strip()
    if len(lead.split()) < _LEAD or len(lead) > _LONGEST_LEAD:
        return statement
    for match in re.finditer(rf"(?<!\w){re.escape(lead)}[ ]+(?=\w)", reply.plain[:_READ]):
        fresh = not any(low <= match.end() < high or match.end() == low for low, high in right)
        if fresh and not re.match(r"(?:not|no)\b", reply.plain[match.end() : match.end() + 4]):
            return replace(statement, polarity=Polarity.HEDGED)
    return statement


_LEAD = 3
"""So many words before a text are enough to know them again ("the tree is a ...")."""
_LONGEST_LEAD = 80
_READ = 8000


def _is_free(span: Span, taken: Sequence[Span], right: Collection[Span], reply: Reply) -> bool:
    """Whether another text is one of its own: no part of a known one, nor in apposition to the right one."""
    index = bisect_right(taken, span)
    for other in taken[max(0, index - 1) : index + 1]:
        if span[0] < other[1] and other[0] < span[1]:
            return False
    before = taken[index - 1] if index else None
    return before not in right or before is None or not _APPOSITION.fullmatch(reply.plain, before[1], span[0])


def _without_overlaps(spans: set[Span]) -> list[Span]:
    kept, end = list[Span](), -1
    for span in sorted(spans):
        if span[0] >= end:
            kept.append(span)
            end = span[1]
    return kept


def _own_words_only(label: Label) -> Label:
    """For texts only opposites tell of something else: other names beside a name are normal."""
    return replace(label, names=())


def occurrences(value: str, reply: Reply) -> Iterator[Span]:
    """Where a text stands as whole words, whatever marks separate them there."""
    pieces = re.findall(r"\w+", fold_words(value))
    if not pieces:
        pieces = [piece for piece in [value.strip()] if piece]
    if not pieces:
        return
    pattern = r"(?<!\w)(?<!\w-)" + r"[^\w\n]{0,3}".join(map(re.escape, pieces)) + r"(?!\w|-\w)"
    for match in re.finditer(pattern, reply.plain):
        yield match.span()


_OR = r"or|oder|ou|oppure|o|of"
_AND = r"and|und|et|y|e|en|&|plus"
_ARTICLE = r"(?:(?:the|a|an|der|die|das|le|la|el|il|de|het) )?"
_OR_AFTER = re.compile(rf"[\"')]{{0,2}},?[ ]+({_OR})\b(?! else)")
_OR_BEFORE = re.compile(rf"\b({_OR}|either)[ ]+{_ARTICLE}[\"']?\Z")
_ITEM = r"[\"']?[^\W_][\w&.'-]{0,30}(?:[ ](?!(?:and|or|und|oder|et|ou|y|e|en)[ ])[\w&'-]{1,30}){0,2}[\"']?"
_ITEMS_AFTER = re.compile(
    rf"[\"']?(?P<more>(?:[ ]?[,;/|][ ]?{_ITEM}){{0,8}})(?:,?[ ](?P<last>{_AND}|{_OR})[ ]{_ITEM})?"
)
_ITEMS_BEFORE = re.compile(
    rf"(?P<more>(?:{_ITEM}[ ]?[,;/|][ ]?){{1,8}})(?:(?P<last>{_AND}|{_OR})[ ])?[\"']?\Z"
)
_FEW = 2


def is_listed(reply: Reply, start: int, end: int) -> bool:
    """Whether the text is one of three or more in a row, or of an array: then it is picked from nowhere."""
    low = reply.plain.rfind("[", max(0, start - 200), start)
    if low >= 0 and "]" not in reply.plain[low:start]:
        high = reply.plain.find("]", end, end + 200)
        return high >= 0 and "," in reply.plain[low:high] and '"' in reply.plain[low:high]
    capital = reply.folded.cased[start].isupper()
    digit = reply.plain[start].isdigit()
    sentence = reply.sentence(start)
    after = _ITEMS_AFTER.match(reply.folded.cased, end, min(sentence[1], end + 200))
    before = _ITEMS_BEFORE.search(reply.folded.cased, max(sentence[0], start - 120), start)
    peers = 0
    for match in (after, before):
        if match is None:
            continue
        names = [name.strip(" \"'") for name in re.split(r"[,;/|]", match["more"]) if name.strip(" \"'")]
        if match is before and names:
            names = [re.split(r":[ ]", names[0])[-1], *names[1:]]
        peers += sum(name[:1].isupper() == capital and name[:1].isdigit() == digit for name in names) + (
            match is after and bool(match["last"])
        )
    return peers >= _FEW


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


_SUBJECT_DENIED = re.compile(
    r"[ ](?:(?:is|was|are|were|does|did|do|has|have|had|can|could|will|would|should)"
    r"(?:n't|[ ](?:not|never|no longer|neither)\b)|never\b|no longer\b|cannot\b"
    r"|(?:ist|war|hat|wird|kann)[ ](?:nicht|kein|nie)|n'est pas\b|no es\b|non e\b|nao e\b|is niet\b)"
)


def _denied_as_subject(reply: Reply, end: int) -> bool:
    """Whether the sentence denies something of it ("Ana is not on duty")."""
    return _SUBJECT_DENIED.match(reply.plain, end) is not None


def _is_retracted(reply: Reply, end: int) -> bool:
    """Whether the answer is taken back further down."""
    return any(reply.is_answer(hit[0]) for hit in reply.hits("retraction", end, end + 300))


def _joins(word: str, reply: Reply) -> bool:
    """Whether a short word means "or" in the reply's language ("o" does in Spanish, not in Portuguese)."""
    return {"o": reply.language in {"es", "it"}, "of": reply.language == "nl"}.get(word, True)
