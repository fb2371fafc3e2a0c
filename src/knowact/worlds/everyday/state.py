"""One session's state: the clock and the place, and the user's tables, copied when first written."""

import datetime as dt
import json
import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeVar, cast

from pydantic import JsonValue, ValidationError

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.model import Noun
from knowact.core.seeds import generator
from knowact.worlds.everyday.clock import weekday
from knowact.worlds.everyday.contract import listed
from knowact.worlds.everyday.private import TABLES, generated

_Record = TypeVar("_Record", bound=Noun)

DEFAULT_CLOCK: Final = "2026-03-12 09:30"
_PLACE: Final = {"home": "Utrecht, Netherlands", "locale": "en-GB, metric units, EUR"}
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2200
"""Dates around the clock stay within the calendar, whatever tools add to them."""
_CLOCK_FORM: Final = "%Y-%m-%d %H:%M"


class State:
    """What tools read and write.

    Args:
        setup: Overrides: `clock` ("2026-03-12 09:30"), `home`, `locale`, and per table a mapping from
            key to record, laid over what the seed gives; null takes a record away.
        seed: What sources and private data are drawn from.

    Raises:
        BadUsage: An unknown key, or a value that is no such record.
    """

    def __init__(self, setup: Mapping[str, JsonValue], seed: int) -> None:
        self.seed = seed
        self.now = _clock(setup.get("clock", DEFAULT_CLOCK))
        self._place = {name: _text(name, setup.get(name, usual)) for name, usual in _PLACE.items()}
        self._own: dict[str, dict[str, Noun]] = {}
        for name, value in setup.items():
            if name in TABLES:
                self._own[name] = _overlaid(name, generated(name, seed, self.today), value)
            elif name not in _PLACE and name != "clock":
                raise UnknownName("setup key of the everyday world", name, (*TABLES, *_PLACE, "clock"))

    @property
    def today(self) -> dt.date:
        """The day that the clock shows."""
        return self.now.date()

    @property
    def hour(self) -> str:
        """The hour that the clock shows, which names what is counted afresh every hour."""
        return self.now.strftime("%Y-%m-%d %H")

    def draw(self, *about: str | float) -> random.Random:
        """Return the generator of the session's seed for what is named; see `sources`."""
        return generator(self.seed, *about)

    def context(self) -> dict[str, str]:
        """What an agent is shown beside the query."""
        return {"now": f"{self.now.strftime(_CLOCK_FORM)} ({weekday(self.today)})", **self._place}

    def table(self, kind: type[_Record]) -> Mapping[str, _Record]:
        """Return one table, by the type of its records."""
        return cast("Mapping[str, _Record]", self._table(_NAMES[kind]))

    def record(self, kind: type[_Record], key: str, name: str) -> _Record:
        """Return one record; a missing one is refused with the nearest keys. `name` is that of the kind."""
        return listed(self.table(kind), key, f"There is no {name} {key!r}.")

    def put(self, key: str, record: Noun) -> None:
        """Write one record."""
        name = _NAMES[type(record)]
        if name not in self._own:
            self._own[name] = dict(self._table(name))
        self._own[name][key] = record

    def mark(self) -> Mapping[str, Mapping[str, Noun]]:
        """Return what `restore` needs to undo every write after this moment."""
        return {name: dict(table) for name, table in self._own.items()}

    def restore(self, mark: Mapping[str, Mapping[str, Noun]]) -> None:
        """Undo every write since the mark was made."""
        self._own = {name: dict(table) for name, table in mark.items()}

    def snapshot(self) -> dict[str, JsonValue]:
        """Return the whole state as JSON."""
        return {**self._head(), **{name: _plain(self._table(name)) for name in TABLES}}

    def text(self) -> str:
        """Return the snapshot as text; equal states give equal text."""
        parts = {name: _canonical(value) for name, value in self._head().items()}
        for name in TABLES:
            own = self._own.get(name)
            if own is None:
                parts[name] = _unwritten(name, self.seed, self.today)
            else:
                parts[name] = _canonical(_plain(own))
        return "{" + ", ".join(f"{_canonical(name)}: {parts[name]}" for name in sorted(parts)) + "}"

    def _head(self) -> dict[str, str]:
        return {"clock": self.now.strftime(_CLOCK_FORM), **self._place}

    def _table(self, name: str) -> Mapping[str, Noun]:
        own = self._own.get(name)
        return generated(name, self.seed, self.today) if own is None else own


_NAMES: Final[Mapping[type[Noun], str]] = {table.kind: name for name, table in TABLES.items()}


def _plain(table: Mapping[str, Noun]) -> dict[str, JsonValue]:
    return {key: record.model_dump(mode="json") for key, record in sorted(table.items())}


def _canonical(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


@lru_cache(maxsize=len(TABLES) * 8)
def _unwritten(name: str, seed: int, today: dt.date) -> str:
    """A table that nobody has written to, as text: nearly all of them, and checks ask twice at every call."""
    return _canonical(_plain(generated(name, seed, today)))


def _clock(value: JsonValue) -> dt.datetime:
    try:
        # The world has one place and one clock; a time zone would be one more thing to be wrong about.
        now = dt.datetime.strptime(_text("clock", value), _CLOCK_FORM)  # noqa: DTZ007
    except ValueError:
        raise BadUsage(f"the setup's clock must look like {DEFAULT_CLOCK!r}, not {value!r}.") from None
    if not _FIRST_YEAR <= now.year <= _LAST_YEAR:
        raise BadUsage(
            f"the setup's clock must lie between {_FIRST_YEAR} and {_LAST_YEAR}, not at {value!r}."
        )
    return now


def _text(name: str, value: JsonValue) -> str:
    if not isinstance(value, str):
        raise BadUsage(f"the setup's {name!r} must be a string, not {value!r}.")
    return value


def _overlaid(name: str, base: Mapping[str, Noun], changes: JsonValue) -> dict[str, Noun]:
    if not isinstance(changes, Mapping):
        raise BadUsage(f"the setup's {name!r} must map keys to records, not {changes!r}.")
    table = dict(base)
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
            continue
        try:
            table[key] = TABLES[name].kind.model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise BadUsage(f"the setup's {name}[{key!r}] is wrong at {where!r}: {first['msg']}.") from None
    return table
