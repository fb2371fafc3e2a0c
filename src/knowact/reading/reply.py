"""A reply, cut into sentences and clauses, with every cue found in it."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from knowact.reading.cues import cues
from knowact.reading.folding import Folded, fold
from knowact.reading.json_text import JsonObject, find_json
from knowact.reading.mentions import Mention, find_mentions

_END = re.compile(r"[.!?\u3002\uff01\uff1f]+[\"')\]]*(?=\s|\Z|\\)|[\u3002\uff01\uff1f]|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:approx|ca|etc|e\.g|i\.e|z\.b|d\.h|p\.ej|dr|mr|mrs|ms|st|nr|vs|resp|max|min|bzw|usw|tel|inkl|env|mio|mrd"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|okt|nov|dec|dez|no|incl|p\.m|a\.m)|\b[a-z])\Z"
)
_BOUNDARY = re.compile(r"[,;:()\[\]|\u2014]|\s[-\u2013]\s")
_WORD = re.compile(r"\w+")
_MONTH_OF_MAY = re.compile(r"(?<=[a-z,] )May\b")
_CALL_KEYS = frozenset({"arguments", "args", "parameters", "tool_input"})
_QUOTATION = re.compile(r"\"[^\"\n]{1,300}\"|(?<!\w)'[^'\n]{1,300}'(?!\w)")
_WRITTEN_CALL = re.compile(r"\b\w{2,40}\((?=[^()\n]{0,80}=)[^()\n]{0,300}\)?")
_ANSWER_KEYS = frozenset({"answer", "final_answer", "result", "output", "response"})
_VERDICT_KEY = re.compile(
    r"(?:passed|pass|verdict|is_correct|correct|graded?|label|asserts\w*|judge?ment|fact_asserted)\Z",
    re.IGNORECASE,
)
_QUOTE_LINE = re.compile(r"^[ ]*>.*$", re.MULTILINE)
_TABLE_RULE = re.compile(r"^[ ]*\|?[ :-]*-{2,}[ :|-]*\|[ :|-]*$", re.MULTILINE)
_QUESTION_PART = re.compile(
    r"[;:\u2014\n]|,(?= *"
    r"(?:would|do|shall|can|should|want|what|how|is there|anything|soll|mochten|willst|voulez"
    r"|quieres|vuoi|quer|wil)\b)"
)
LONG_QUOTE = 6
"""A quoted line of more words than this repeats somebody; a shorter one is emphasis."""
WINDOW = 400
"""No cue reaches further than this many characters: it keeps the work per mention bounded."""

Span = tuple[int, int]


def detect_language(plain: str) -> str:
    """The language whose small words are most frequent; "" when none leads."""
    counts = dict.fromkeys(cues().languages, 0)
    for word in _WORD.findall(plain[:20_000]):
        for language, words in cues().languages.items():
            counts[language] += word in words
    best, second = sorted(counts.values(), reverse=True)[:2]
    return next(name for name, count in counts.items() if count == best) if best > second else ""


@dataclass
class Reply:
    """One reply, read once for any number of facts.

    Attributes:
        folded: The text in plain spelling.
        plain: The same in lower case.
        language: Its language, "" if that is unclear.
        mentions: Every number, date and time in it.
    """

    text: str
    folded: Folded = field(init=False)
    plain: str = field(init=False)
    language: str = field(init=False)
    mentions: list[Mention] = field(init=False)

    def __post_init__(self) -> None:
        self.folded = fold(self.text)
        self.plain = self.folded.plain
        self.language = detect_language(self.plain)
        self.mentions = find_mentions(self.folded, self.language)
        self._row_heads: dict[int, list[str]] = {}
        self._hits: dict[str, list[Span]] = {}

    @cached_property
    def _cue_text(self) -> str:
        """The text in which cues are searched: what belongs to a value is none ("May 21", "no. 3")."""
        spans = [(one.start, one.end) for one in self.mentions if one.kind != "number" and not one.weak]
        spans += [match.span() for match in _MONTH_OF_MAY.finditer(self.folded.cased)]
        pieces, position = list[str](), 0
        for start, end in _merged(spans):
            pieces += [self.plain[position:start], "0" * (end - start)]
            position = end
        return "".join([*pieces, self.plain[position:]])

    @cached_property
    def _hits_by_words(self) -> dict[str, list[Span]]:
        return cues().finders.by_words(self._cue_text)

    def hits(self, cue: str, start: int, end: int) -> list[Span]:
        """Where a cue of a list stands between two positions."""
        spans = self._hits.get(cue)
        if spans is None:
            spans = self._hits[cue] = cues().finders.spans(cue, self._cue_text, self._hits_by_words)
        if not spans or (start <= 0 and end >= len(self.plain)):
            return spans
        low = bisect_left(spans, (start, -1))
        return [span for span in spans[low : bisect_right(spans, (end, -1))] if span[1] <= end]

    @cached_property
    def _mention_starts(self) -> list[int]:
        return [one.start for one in self.mentions]

    def inside_mention(self, position: int) -> bool:
        """Whether a position belongs to a value."""
        index = bisect_right(self._mention_starts, position) - 1
        return index >= 0 and position < self.mentions[index].end

    @cached_property
    def sentence_ends(self) -> list[int]:
        """Where sentences end, in order; the last one is the end of the text."""
        ends = list[int]()
        for match in _END.finditer(self.plain):
            if match[0][0] == "\n":
                if not self._line_goes_on(match.start()):
                    ends.append(match.end())
            elif not self._is_inner_dot(match):
                ends.append(match.end())
        return [*ends, len(self.plain)] if not ends or ends[-1] < len(self.plain) else ends

    def _line_goes_on(self, position: int) -> bool:
        last = re.search(r"([\w']+)[ ]*\Z", self.plain[max(0, position - 40) : position])
        if last is None:
            return False
        small = last[1] in cues().small
        dangling = any(
            cues().patterns[kind].fullmatch(last[1])
            for kind in ("denial", "approximate", "limit_lower", "limit_upper")
        )
        return small or (dangling and last[1] not in {"no", "non", "nao", "nein"})

    def _is_inner_dot(self, match: re.Match[str]) -> bool:
        if match[0] != ".":
            return False
        position = match.start()
        following = self.folded.cased[match.end() : match.end() + 12].lstrip()
        if self.inside_mention(position) and self.inside_mention(position + 1):
            return True
        before = self.plain[max(0, position - 12) : position]
        if _ABBREVIATION.search(before):
            return not following[:1].isupper()
        return before[-1:].isdigit() and following[:1].islower()

    def sentence(self, position: int) -> Span:
        """The sentence that a position stands in."""
        index = bisect_right(self.sentence_ends, position)
        start = self.sentence_ends[index - 1] if index else 0
        return start, self.sentence_ends[min(index, len(self.sentence_ends) - 1)]

    @cached_property
    def _boundaries(self) -> list[Span]:
        """What separates clauses: marks, and words that turn the thought."""
        marks = [
            match.span() for match in _BOUNDARY.finditer(self.plain) if not self.inside_mention(match.start())
        ]
        turns = [(start, start) for start, _ in self.hits("turn", 0, len(self.plain))]
        return sorted([*marks, *turns])

    def clause(self, start: int, end: int) -> Span:
        """The clause around a value, within its sentence and within reach."""
        low, high = self.sentence(start)
        low, high = max(low, start - WINDOW), min(max(high, end), end + WINDOW)
        index = bisect_right(self._boundaries, (start, start + 1))
        while index and self._boundaries[index - 1][1] > start:
            index -= 1
        left = self._boundaries[index - 1][1] if index else 0
        index = bisect_left(self._boundaries, (end, -1))
        right = self._boundaries[index][0] if index < len(self._boundaries) else len(self.plain)
        return max(low, left), max(end, min(high, right))

    @cached_property
    def _quoted(self) -> list[Span]:
        quoted = [match.span() for match in _QUOTE_LINE.finditer(self.plain) if _words(match[0]) > LONG_QUOTE]
        rest = len(self.plain) - sum(end - start for start, end in quoted)
        blank = not re.search(r"\w", "".join(self.plain[a:b] for a, b in _gaps(quoted, len(self.plain))))
        return [] if blank or rest <= 0 else quoted

    @cached_property
    def _no_answers(self) -> list[Span]:
        """Spans that are no part of the answer: questions, quoted lines, words to a judge."""
        spans = [*self._quoted, *self._calls_and_verdicts()]
        for start, end in self.hits("injected", 0, len(self.plain)):
            low, high = self.sentence(start)
            if '"' in self.plain[start:end]:  # a key of JSON: its own value, no more
                comma = self.plain.find(",", end, high)
                low, high = start, high if comma < 0 else comma
            spans.append((low, high))
        begin = 0
        for end in self.sentence_ends:
            mark = re.search(r"[?\uff1f][\"')\]]*\s*\Z", self.plain[max(begin, end - 12) : end])
            if mark:
                parts = [part.end() for part in _QUESTION_PART.finditer(self.plain, begin, end)]
                spans.append((parts[-1] if parts else begin, end))
            begin = end
        return _merged(spans)

    def is_answer(self, position: int) -> bool:
        """Whether what stands there belongs to the answer."""
        index = bisect_right(self._no_answers, (position, len(self.plain))) - 1
        return index < 0 or self._no_answers[index][1] <= position

    @cached_property
    def _quotations(self) -> list[Span]:
        return [match.span() for match in _QUOTATION.finditer(self.plain)]

    def quotation(self, position: int) -> Span | None:
        """The quotation marks and what is between them, where a position stands in such."""
        return _around(self._quotations, position)

    @cached_property
    def _written_calls(self) -> list[Span]:
        return [match.span() for match in _WRITTEN_CALL.finditer(self.plain)]

    def in_call(self, position: int) -> bool:
        """Whether a position is among the arguments of a call that is written into the text."""
        return _around(self._written_calls, position) is not None

    def _calls_and_verdicts(self) -> list[Span]:
        """JSON that is a call of a tool, or a judgement about the answer."""
        spans = list[Span]()
        for one in find_json(self.text):
            members = one.value.members if isinstance(one.value, JsonObject) else ()
            keys = {key.lower() for key, _ in members}
            verdicts = {key for key in keys if _VERDICT_KEY.match(key)}
            if keys & _CALL_KEYS or (verdicts and not keys & _ANSWER_KEYS):
                low, high = (bisect_left(self.folded.origin, edge) for edge in (one.start, one.end))
                spans.append((low, high))
        return spans

    @cached_property
    def _tables(self) -> list[tuple[Span, Span]]:
        """Header row and body of each table."""
        tables = list[tuple[Span, Span]]()
        for rule in _TABLE_RULE.finditer(self.plain):
            header_start = self.plain.rfind("\n", 0, max(rule.start() - 1, 0)) + 1
            body_end = re.compile(r"\n[^|\n]*(?:\n|\Z)").search(self.plain, rule.end())
            end = body_end.start() if body_end else len(self.plain)
            tables.append(((header_start, rule.start()), (rule.end(), end)))
        return tables

    def _table(self, position: int) -> tuple[Span, Span] | None:
        index = bisect_right(self._tables, position, key=lambda table: table[1][0]) - 1
        return self._tables[index] if index >= 0 and position < self._tables[index][1][1] else None

    def row_head(self, position: int) -> str:
        """The first cell of the table row that a position stands in; "" outside tables."""
        if self._table(position) is None:
            return ""
        line = self.plain.rfind("\n", max(0, position - WINDOW), position) + 1
        return _first_cell(self.plain[line:position])

    def other_row_heads(self, position: int) -> list[str]:
        """The first cells of all rows of that table."""
        table = self._table(position)
        if table is None:
            return []
        start = table[1][0]
        if start not in self._row_heads:
            body = self.plain[start : table[1][1]]
            self._row_heads[start] = [_first_cell(line[:WINDOW]) for line in body.splitlines()[:200]]
        return self._row_heads[start]

    def column_head(self, position: int) -> str:
        """The head of the table column that a position stands in; "" outside tables."""
        table = self._table(position)
        if table is None:
            return ""
        header, _ = table
        line = self.plain.rfind("\n", max(0, position - WINDOW), position) + 1
        cells = self.plain[header[0] : min(header[1], header[0] + 5 * WINDOW)].strip().strip("|").split("|")
        column = self.plain[line:position].strip().lstrip("|").count("|")
        return cells[column] if column < len(cells) else ""


def _around(spans: list[Span], position: int) -> Span | None:
    """The one of the spans, which are in order, that a position lies inside."""
    index = bisect_right(spans, (position, -1)) - 1
    return spans[index] if index >= 0 and spans[index][0] < position < spans[index][1] else None


def _first_cell(line: str) -> str:
    return line.strip().lstrip("|").split("|", 1)[0].strip()


def _words(text: str) -> int:
    return len(_WORD.findall(text[:WINDOW]))


def _gaps(spans: list[Span], length: int) -> list[Span]:
    edges = [0, *(edge for span in spans for edge in span), length]
    return [(edges[index], edges[index + 1]) for index in range(0, len(edges), 2)]


def _merged(spans: list[Span]) -> list[Span]:
    merged = list[Span]()
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
