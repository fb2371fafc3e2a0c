"""The 12 variables that stay as they are during a trial (CAR-bench).

Names, ranges and defaults are interface facts; so is how the published data spell the charging curve's two
lists.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, Self

from pydantic import AliasChoices, Field, JsonValue, ValidationError, field_validator, model_validator

from knowact.core.errors import BadUsage
from knowact.core.model import Noun
from knowact.worlds.car.databases.rows import Location, Position

Preferences = dict[str, dict[str, list[str]]]
"""Category, then topic, then what the driver said that they like, a free text each."""


class Moment(Noun):
    """The local time of the trial; the clock stands still."""

    year: int = Field(ge=1900, le=2200)
    month: int = Field(ge=1, le=12)
    day: int = Field(ge=1, le=31)
    hour: int = Field(ge=0, le=23)
    minute: int = Field(ge=0, le=59)

    @model_validator(mode="after")
    def _is_a_day(self) -> Self:
        dt.date(self.year, self.month, self.day)
        return self

    def is_day(self, month: int, day: int) -> bool:
        """Whether it is that day of the year."""
        return (self.month, self.day) == (month, day)


class Seats(Noun):
    """Which seats somebody sits on."""

    driver: bool = True
    passenger: bool = False
    driver_rear: bool = False
    passenger_rear: bool = False


class ChargingCurve(Noun):
    """How much of the greatest power flows while charging.

    Attributes:
        thresholds: States of charge in percent, rising; a share holds up to and including its threshold.
        power_shares: Percent of the greatest power, one per threshold.
    """

    thresholds: tuple[float, ...] = Field(
        default=(5, 10, 20, 50, 70, 80, 90, 95, 100),
        validation_alias=AliasChoices("thresholds", "soc_tresholds", "soc_thresholds"),
    )
    power_shares: tuple[float, ...] = Field(
        default=(60, 90, 100, 100, 100, 90, 70, 40, 20),
        validation_alias=AliasChoices("power_shares", "power_percentages"),
    )

    @field_validator("power_shares", mode="after")
    @classmethod
    def _in_percent(cls, shares: tuple[float, ...]) -> tuple[float, ...]:
        # No car charges with 1 % of its power at most: such lists are fractions.
        return tuple(share * 100 for share in shares) if shares and max(shares) <= 1 else shares

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not self.thresholds or len(self.thresholds) != len(self.power_shares):
            raise ValueError("thresholds and power shares must be two lists of one length")
        if any(low >= high for low, high in pairwise(self.thresholds)):
            raise ValueError("thresholds must rise")
        return self

    def share(self, state_of_charge: float) -> float:
        """Return the share of the power, 0 to 1, at a state of charge in percent; 0 above all thresholds."""
        for threshold, share in zip(self.thresholds, self.power_shares, strict=True):
            if state_of_charge <= threshold:
                return share / 100
        return 0.0


MUNICH: Final = Location(
    id="loc_mun_9995", name="Munich", position=Position(longitude=11.5755, latitude=48.1372)
)


class Context(Noun):
    """What is fixed during a trial.

    Attributes:
        car_color: The car's colour.
        battery_capacity_kwh: Gross capacity in kilowatt-hours.
        useable_battery_percentage: Share of it that can be used, in percent.
        max_charging_power_ac: Kilowatts.
        max_charging_power_dc: Kilowatts.
        energy_consumption: Kilowatt-hours per 100 km.
        charging_curve_parameters: The charging curve.
        state_of_charge: Percent.
        seats_occupied: Who sits where.
        current_location: Where the car stands.
        current_datetime: The local time.
        user_preferences: What the driver likes, by category and topic.
    """

    car_color: str = "blue"
    battery_capacity_kwh: float = Field(default=80.0, ge=60, le=100)
    useable_battery_percentage: float = Field(default=95.0, ge=90, le=100)
    max_charging_power_ac: Literal[11, 22] = 11
    max_charging_power_dc: Literal[150, 200, 250, 268, 300, 350, 1000] = 250
    energy_consumption: float = Field(default=15.0, ge=10, le=20)
    charging_curve_parameters: ChargingCurve = ChargingCurve()
    state_of_charge: float = Field(default=10.0, ge=10, le=100)
    seats_occupied: Seats = Seats()
    current_location: Location = MUNICH
    current_datetime: Moment = Moment(year=2025, month=2, day=14, hour=12, minute=0)
    user_preferences: Preferences = Field(default_factory=dict[str, dict[str, list[str]]])

    @property
    def usable_energy_kwh(self) -> float:
        """Energy of a full battery that the car may use."""
        return self.battery_capacity_kwh * self.useable_battery_percentage / 100


VARIABLES: Final[Sequence[str]] = tuple(Context.model_fields)
"""The names of the 12 variables, in the order of the original."""

_USUAL: Final = Context()


def context_of(values: Mapping[str, JsonValue]) -> Context:
    """Make the context of a trial.

    Args:
        values: Variables that differ from their default.

    Raises:
        BadUsage: A value that the variable cannot have.
    """
    if not values:
        return _USUAL
    try:
        return Context.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadUsage(f"the setup's {where!r} is wrong: {first['msg']}.") from None
