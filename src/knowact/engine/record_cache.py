"""Records beside their log, in columns: reading them again is more than ten times as fast as reading the log.

`<log>.records.parquet` has one row per trial. Numbers and names are columns of their own. What is nested
(labels, outcomes, results, sets of tools) is JSON text, because its names differ from suite to suite; parquet
stores equal texts once, and each distinct text is parsed once.

It is a cache: it is made anew without a word when the log, our code that reads logs, or the cache itself has
changed, and nothing is said where it cannot be written.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cache, lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_type_hints
from zipfile import ZipFile, is_zipfile

from pydantic import TypeAdapter

from knowact.core.record import Record, Result

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SUFFIX: Final = ".records.parquet"

WORTH: Final = 200
"""Logs with fewer trials have no cache: reading them takes no longer than loading the library."""

_READERS: Final = ("engine/reader.py", "engine/records.py", "engine/record_cache.py", "core/record.py")
"""The modules that decide what record a logged trial becomes; a change in one outdates every cache."""

_TYPES: Final = get_type_hints(Record, include_extras=True)

_FIELDS: Final[Mapping[str, TypeAdapter[Any]]] = {
    field.name: TypeAdapter(_TYPES[field.name]) for field in fields(Record)
}
"""A record as JSON, field by field."""

_PLAIN: Final = frozenset(name for name in _FIELDS if _TYPES[name] in {str, int, float})
"""Fields that are columns as they stand; the others are JSON texts."""


def cache_of(log: Path) -> Path:
    """The cache of a log, whether there is one or not."""
    return log.with_name(log.name + SUFFIX)


def key_of(log: Path) -> str:
    """What changes whenever a log does, or our code that reads logs.

    A log is a zip file, whose directory holds a checksum of each part; one that is plain JSON is hashed as a
    whole. The time of the last change is there for what bypasses the directory.

    Raises:
        OSError, BadZipFile: It cannot be read.
    """
    content: object
    if is_zipfile(log):
        with ZipFile(log) as parts:
            content = [(part.filename, part.CRC, part.file_size) for part in parts.infolist()]
    else:
        content = hashlib.sha256(log.read_bytes()).hexdigest()
    stat = log.stat()
    known = json.dumps([_code(), stat.st_size, stat.st_mtime_ns, content])
    return hashlib.sha256(known.encode()).hexdigest()


@cache
def _code() -> str:
    package = resources.files("knowact")
    sources = (package.joinpath(module).read_bytes() for module in _READERS)
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


def load(log: Path, key: str, labels: Callable[[dict[str, str]], dict[str, str]]) -> list[Record] | None:
    """The records of a log from its cache; None where there is none, or none for this `key`.

    Args:
        log: The log.
        key: Its `key_of`.
        labels: What a record's labels become.
    """
    file = cache_of(log)
    if not file.exists():
        return None
    import duckdb

    with suppress(duckdb.Error, OSError, ValueError, KeyError, TypeError, AttributeError):
        db = _database().cursor()
        made_for = db.execute("select decode(value) from parquet_kv_metadata(?)", [str(file)]).fetchall()
        db.execute("create temp table trials as from read_parquet(?)", [str(file)])
        if made_for == [(_made_for(db, key),)]:
            return _records(db.execute("from trials").fetchall(), labels)
    return None


def keep(log: Path, key: str, records: Sequence[Record]) -> None:
    """Write a log's cache; nothing happens where it is not worth it, or the folder cannot be written to."""
    if len(records) < WORTH:
        return
    import duckdb

    target = cache_of(log)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with suppress(duckdb.Error, OSError, ValueError):
            db = _database().cursor()
            db.register("columns", _columns(records))
            db.execute("create temp table trials as from columns")
            about = f"kv_metadata {{made_for: '{_made_for(db, key)}'}}"
            db.execute(f"copy trials to ? (format parquet, compression zstd, {about})", [str(draft)])
            draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@cache
def _database() -> "DuckDBPyConnection":
    """A database in memory, opened once, that fetches no extensions: parquet is built in."""
    import duckdb

    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "threads": 1,  # a log's rows are too few to share
    }
    return duckdb.connect(":memory:", config=offline)


def _made_for(db: "DuckDBPyConnection", key: str) -> str:
    """The key, and a checksum over all rows: parquet has none, so damage could pass for numbers."""
    (checksum,) = db.execute("select sum(hash(trials)::hugeint) from trials").fetchall()[0]
    return f"{key} {checksum}"


def _columns(records: Sequence[Record]) -> dict[str, Any]:
    """The fields of records, each an array."""
    import numpy as np

    columns: dict[str, Any] = {}
    for name, adapter in _FIELDS.items():
        values = [getattr(record, name) for record in records]
        plain = (
            values
            if name in _PLAIN
            else [json.dumps(adapter.dump_python(each, mode="json")) for each in values]
        )
        columns[name] = np.array(plain, object)
    return columns


def _records(
    rows: Sequence[Sequence[Any]], labels: Callable[[dict[str, str]], dict[str, str]]
) -> list[Record]:
    """Records of rows. Equal texts become one object, which saves memory as well as time."""

    def value(name: str, text: str) -> Any:
        field = _FIELDS[name].validate_python(json.loads(text))
        if name == "results":
            return {measure: _shared(result) for measure, result in field.items()}
        return labels(field) if name == "labels" else field

    columns = (
        column if name in _PLAIN else map(cache(partial(value, name)), column)
        for name, column in zip(_FIELDS, zip(*rows, strict=True), strict=True)
    )
    return list(map(Record, *columns))


@lru_cache(maxsize=10_000)
def _shared(result: Result) -> Result:
    """One object for all equal results."""
    return result
