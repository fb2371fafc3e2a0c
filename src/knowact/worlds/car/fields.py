"""The 31 variables that a trial can change (CAR-bench): type, range and default of each.

Names, ranges and enumerations are interface facts. The trunk differs between the rule sets: the published
world starts it as the text "closed" and writes "OPEN" and "CLOSE" over that; here it is one
enumeration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, get_args

from pydantic import JsonValue

from knowact.worlds.car.rules import Rules

Value = bool | int | float | str | tuple[str, ...]
"""What a variable can hold."""
Given = JsonValue | Value | list[str]
"""What somebody may try to put there."""


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    default: bool = False

    def admitted(self, value: Given) -> bool:
        """Return the value as it is stored; ValueError says in a clause what it must be."""
        if isinstance(value, bool):
            return value
        raise ValueError("must be true or false")


@dataclass(frozen=True, slots=True)
class Level:
    """A number between two ends, in steps; whole numbers for a step of 1."""

    lowest: int
    highest: int
    step: float = 1
    default: float = 0

    def admitted(self, value: Given) -> float:
        """Return the value as it is stored; ValueError says in a clause what it must be."""
        # The comparison comes first: it copes with numbers that are no float, or not a number.
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and self.lowest <= value <= self.highest
            and (value / self.step).is_integer()
        ):
            return int(value) if self.step == 1 else float(value)
        raise ValueError(f"must be a number from {self.lowest} to {self.highest} in steps of {self.step:g}")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words; `spellings` maps what published data write to the word that is stored."""

    words: tuple[str, ...]
    default: str
    spellings: Mapping[str, str] = field(default_factory=dict[str, str])

    def admitted(self, value: Given) -> str:
        """Return the value as it is stored; ValueError says in a clause what it must be."""
        word = self.spellings.get(value, value) if isinstance(value, str) else value
        if isinstance(word, str) and word in self.words:
            return word
        raise ValueError(f"must be one of {', '.join(self.words)}")


@dataclass(frozen=True, slots=True)
class Text:
    """Any text."""

    default: str

    def admitted(self, value: Given) -> str:
        """Return the value as it is stored; ValueError says in a clause what it must be."""
        if isinstance(value, str):
            return value
        raise ValueError("must be a text")


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts, in order."""

    default: tuple[str, ...] = ()

    def admitted(self, value: Given) -> tuple[str, ...]:
        """Return the value as it is stored; ValueError says in a clause what it must be."""
        if isinstance(value, list | tuple):
            texts = tuple(item for item in value if isinstance(item, str))
            if len(texts) == len(value):
                return texts
        raise ValueError("must be a list of texts")


Field = Switch | Level | Choice | Text | Texts

Colour = Literal["RED", "GREEN", "BLUE", "YELLOW", "WHITE", "PINK", "ORANGE", "PURPLE", "CYAN"]
Airflow = Literal[
    "FEET", "HEAD", "HEAD_FEET", "WINDSHIELD", "WINDSHIELD_FEET", "WINDSHIELD_HEAD", "WINDSHIELD_HEAD_FEET"
]
_OPENING: Final = Level(0, 100)
_WARMTH: Final = Level(0, 3)
_DEGREES: Final = Level(16, 28, 0.5, 20)

FIELDS: Final[Mapping[str, Field]] = MappingProxyType(
    {
        "sunroof_position": _OPENING,
        "sunshade_position": _OPENING,
        "trunk_door_position": Choice(
            ("OPEN", "CLOSE"), "CLOSE", {"open": "OPEN", "close": "CLOSE", "closed": "CLOSE"}
        ),
        "window_driver_position": _OPENING,
        "window_passenger_position": _OPENING,
        "window_driver_rear_position": _OPENING,
        "window_passenger_rear_position": _OPENING,
        "reading_light_driver": Switch(),
        "reading_light_passenger": Switch(),
        "reading_light_driver_rear": Switch(),
        "reading_light_passenger_rear": Switch(),
        "fog_lights": Switch(),
        "head_lights_low_beams": Switch(),
        "head_lights_high_beams": Switch(),
        "ambient_light": Choice(("OFF", *get_args(Colour)), "OFF"),
        "climate_temperature_driver": _DEGREES,
        "climate_temperature_passenger": _DEGREES,
        "steering_wheel_heating": _WARMTH,
        "seat_heating_driver": _WARMTH,
        "seat_heating_passenger": _WARMTH,
        "fan_speed": Level(0, 5),
        "window_front_defrost": Switch(),
        "window_rear_defrost": Switch(),
        "fan_airflow_direction": Choice(get_args(Airflow), "FEET"),
        "air_conditioning": Switch(),
        "air_circulation": Choice(("AUTO", "FRESH_AIR", "RECIRCULATION"), "AUTO"),
        "navigation_active": Switch(),
        "waypoints_id": Texts(),
        "routes_to_final_destination_id": Texts(),
        "email_addresses_sent_mail_to": Texts(),
        "phone_numbers_called": Texts(),
    }
)
"""By name, in the order of the original."""

_PUBLISHED: Final[Mapping[str, Field]] = MappingProxyType({**FIELDS, "trunk_door_position": Text("closed")})


def fields_of(rules: Rules) -> Mapping[str, Field]:
    """Return the variables under a rule set."""
    return _PUBLISHED if rules is Rules.PUBLISHED else FIELDS
