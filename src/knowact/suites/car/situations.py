"""From an authored situation to what opens a session: place, time, route, and what the driver likes."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from pydantic import JsonValue

from knowact.core.seeds import generator
from knowact.suites.car.authored import AuthoredBase, Likes
from knowact.suites.car.goals import Reference
from knowact.worlds.car.databases.base import Databases
from knowact.worlds.car.databases.rows import CATEGORIES

OTHER_TOPICS: Final = 3
"""So many topics that a task has nothing to do with get a habit, too."""

_TOPICS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "set_air_circulation",
            "set_air_conditioning",
            "set_climate_temperature",
            "set_fan_airflow_direction",
            "set_fan_speed",
            "set_window_defrost",
            "set_seat_heating",
            "set_steering_wheel_heating",
        ),
        "vehicle_settings.climate_control",
    ),
    **dict.fromkeys(
        (
            "open_close_sunroof",
            "open_close_sunshade",
            "open_close_trunk_door",
            "open_close_window",
            "set_ambient_lights",
            "set_fog_lights",
            "set_head_lights_high_beams",
            "set_head_lights_low_beams",
            "set_reading_light",
        ),
        "vehicle_settings.vehicle_settings",
    ),
    "get_routes_from_start_to_destination": "navigation_and_routing.route_selection",
    "send_email": "productivity_and_communication.email",
    "get_entries_from_calendar": "productivity_and_communication.calendar",
    "get_weather": "weather.weather",
}


class Unplaced(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """The situation names something that the world does not have."""


def setup_of(base: AuthoredBase, databases: Databases, car: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return what opens a session of an authored task, preferences left out.

    Args:
        base: The task.
        databases: The world's rows.
        car: Variables, which go before those of the task.

    Raises:
        Unplaced: A city, a place or a time that there is not.
    """
    city, moment = _place_and_time(base.at)
    here = databases.locations[_city(city, databases)]
    setup: dict[str, JsonValue] = {**base.car, **car}
    setup["current_location"] = here.model_dump(mode="json", exclude_none=True)
    setup["current_datetime"] = {
        "year": moment.year,
        "month": moment.month,
        "day": moment.day,
        "hour": moment.hour,
        "minute": moment.minute,
    }
    if base.calendar:
        if base.calendar not in databases.calendars:
            raise Unplaced(f"there is no calendar {base.calendar!r}")
        setup["calendar_id"] = base.calendar
    if base.route:
        stops = [_stop(one, databases) for one in base.route]
        setup["navigation_active"] = True
        setup["waypoints_id"] = list(stops)
        setup["routes_to_final_destination_id"] = [
            _fastest(one, other, databases) for one, other in pairwise(stops)
        ]
    return setup


def _place_and_time(at: str) -> tuple[str, dt.datetime]:
    city, _, rest = at.partition(" 20")
    try:
        return city, dt.datetime.fromisoformat(f"20{rest}")
    except ValueError:
        raise Unplaced(f"{at!r} is no city with a date and a time") from None


def _city(name: str, databases: Databases) -> str:
    for city in databases.locations.values():
        if city.name == name:
            return city.id
    raise Unplaced(f"there is no city {name!r}")


def _stop(written: str, databases: Databases) -> str:
    """The id of a city, or of the first place of a category in it ("restaurants@Nuremberg")."""
    kind, at, city = written.rpartition("@")
    if not at:
        return _city(city, databases)
    place = _city(city, databases)
    found = [poi for one in CATEGORIES if one == kind for poi in databases.pois_at(place, one)]
    if not found:
        raise Unplaced(f"there is no place {written!r}")
    return found[0].id


def _fastest(start: str, destination: str, databases: Databases) -> str:
    found = databases.routes(start, destination)
    if not found:
        raise Unplaced(f"there is no route from {start!r} to {destination!r}")
    return found[0].route_id


def topics_of(reference: Iterable[Reference]) -> frozenset[str]:
    """Return the topics of preferences that a reference has to do with."""
    found: set[str] = set()
    for one in reference:
        category: Any = one.arguments.get("category_poi")
        if isinstance(category, str):
            found.add(f"points_of_interest.{category}")
        if one.tool in _TOPICS:
            found.add(_TOPICS[one.tool])
    return frozenset(found)


def preferences(
    cluster: str,
    topics: Iterable[str],
    authored: Sequence[Likes],
    habits: Likes,
    unspoken: Iterable[str] = (),
) -> dict[str, dict[str, list[str]]]:
    """Return what the driver likes: what was written, among habits that decide nothing.

    Every task of a cluster gets habits on the same topics, and always one on each topic that it has to do
    with. What was written takes the place of a habit, so that neither a preference being there nor the number
    of them says anything about the type of the task.

    Args:
        cluster: The base task's id; the draw hangs on it.
        topics: What the task has to do with.
        authored: What was written.
        habits: Sentences to draw from, by topic.
        unspoken: Words that no habit may have, because a choice would hang on them.
    """
    draw = generator(0, "habits", cluster)
    near = sorted(topics)
    others = sorted(habits.keys() - set(near))
    far = draw.sample(others, min(OTHER_TOPICS, len(others)))
    written: dict[str, list[str]] = {}
    for likes in authored:
        for topic, some in likes.items():
            written.setdefault(topic, []).extend(some)
    del far[max(0, OTHER_TOPICS - len(written.keys() - {*near, *far})) :]
    found: dict[str, list[str]] = {}
    for topic in (*near, *far):
        sentences = [
            one for one in habits.get(topic, ()) if not any(word in one.lower() for word in unspoken)
        ]
        if sentences:
            found[topic] = [draw.choice(sentences)]
    return _nested({**found, **written})


def _nested(found: Mapping[str, list[str]]) -> dict[str, dict[str, list[str]]]:
    out: dict[str, dict[str, list[str]]] = {}
    for topic, sentences in sorted(found.items()):
        category, _, name = topic.partition(".")
        out.setdefault(category, {})[name] = sentences
    return out
