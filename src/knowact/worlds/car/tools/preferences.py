"""Cross-domain: what the driver likes (spec car-bench.md, section 2.10)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from collections.abc import Mapping
from typing import Annotated, Final, TypedDict, cast, get_type_hints

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.typed.schema import Attribute


class AskedPlaces(TypedDict, total=False):
    """Kinds of places.

    Attributes:
        airports: True to ask about airports.
        bakery: True to ask about bakeries.
        fast_food: True to ask about fast food.
        parking: True to ask about car parks.
        public_toilets: True to ask about public toilets.
        restaurants: True to ask about restaurants.
        supermarkets: True to ask about supermarkets.
        charging_stations: True to ask about charging stations.
    """

    airports: bool
    bakery: bool
    fast_food: bool
    parking: bool
    public_toilets: bool
    restaurants: bool
    supermarkets: bool
    charging_stations: bool


class AskedRoutes(TypedDict, total=False):
    """Topics of navigation.

    Attributes:
        route_selection: True to ask which routes the driver prefers.
    """

    route_selection: bool


class AskedVehicle(TypedDict, total=False):
    """Topics of the car.

    Attributes:
        climate_control: True to ask about air and warmth.
        vehicle_settings: True to ask about everything else in the car.
    """

    climate_control: bool
    vehicle_settings: bool


class AskedWork(TypedDict, total=False):
    """Topics of work.

    Attributes:
        email: True to ask about e-mail.
        calendar: True to ask about the calendar.
    """

    email: bool
    calendar: bool


class AskedWeather(TypedDict, total=False):
    """Topics of the weather.

    Attributes:
        weather: True to ask about the weather.
    """

    weather: bool


class Asked(TypedDict, total=False):
    """What is asked for, by category.

    Attributes:
        points_of_interest: Kinds of places.
        navigation_and_routing: Topics of navigation.
        vehicle_settings: Topics of the car.
        productivity_and_communication: Topics of work.
        weather: Topics of the weather.
    """

    points_of_interest: AskedPlaces
    navigation_and_routing: AskedRoutes
    vehicle_settings: AskedVehicle
    productivity_and_communication: AskedWork
    weather: AskedWeather


class LikedPlaces(TypedDict, total=False):
    """Preferences about places; only what was asked for is there.

    Attributes:
        airports: About airports.
        bakery: About bakeries.
        fast_food: About fast food.
        parking: About car parks.
        public_toilets: About public toilets.
        restaurants: About restaurants.
        supermarkets: About supermarkets.
        charging_stations: About charging stations.
    """

    airports: list[Annotated[str, Attribute("preference.airports")]]
    bakery: list[Annotated[str, Attribute("preference.bakery")]]
    fast_food: list[Annotated[str, Attribute("preference.fast_food")]]
    parking: list[Annotated[str, Attribute("preference.parking")]]
    public_toilets: list[Annotated[str, Attribute("preference.public_toilets")]]
    restaurants: list[Annotated[str, Attribute("preference.restaurants")]]
    supermarkets: list[Annotated[str, Attribute("preference.supermarkets")]]
    charging_stations: list[Annotated[str, Attribute("preference.charging_stations")]]


class LikedRoutes(TypedDict, total=False):
    """Preferences about navigation; only what was asked for is there.

    Attributes:
        route_selection: Which routes the driver prefers.
    """

    route_selection: list[Annotated[str, Attribute("preference.route_selection")]]


class LikedVehicle(TypedDict, total=False):
    """Preferences about the car; only what was asked for is there.

    Attributes:
        climate_control: About air and warmth.
        vehicle_settings: About everything else in the car.
    """

    climate_control: list[Annotated[str, Attribute("preference.climate_control")]]
    vehicle_settings: list[Annotated[str, Attribute("preference.vehicle_settings")]]


class LikedWork(TypedDict, total=False):
    """Preferences about work; only what was asked for is there.

    Attributes:
        email: About e-mail.
        calendar: About the calendar.
    """

    email: list[Annotated[str, Attribute("preference.email")]]
    calendar: list[Annotated[str, Attribute("preference.calendar")]]


class LikedWeather(TypedDict, total=False):
    """Preferences about the weather; only what was asked for is there.

    Attributes:
        weather: About the weather.
    """

    weather: list[Annotated[str, Attribute("preference.weather")]]


class Liked(TypedDict, total=False):
    """What the driver likes, in their own words, by category; only what was asked for is there.

    Attributes:
        points_of_interest: About places.
        navigation_and_routing: About navigation.
        vehicle_settings: About the car.
        productivity_and_communication: About work.
        weather: About the weather.
    """

    points_of_interest: LikedPlaces
    navigation_and_routing: LikedRoutes
    vehicle_settings: LikedVehicle
    productivity_and_communication: LikedWork
    weather: LikedWeather


TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    category: tuple(get_type_hints(topics)) for category, topics in get_type_hints(Asked).items()
}
"""By category, what can be asked about."""


@car_tool(domain="Cross-domain", kind="get", open_when_published=("preference_categories",))
def get_user_preferences(
    car: Car, preference_categories: Annotated[Asked, Attribute("preference.categories")]
) -> Liked:
    """Look up what the driver has said before about what they like, a list of sentences for each topic.

    An empty list says that nothing is known about that topic.

    Args:
        preference_categories: The topics to look up, by category; name only those that matter.
    """
    known = car.context.user_preferences
    asked = _as_map(preference_categories)
    found: dict[str, dict[str, list[str]]] = {}
    for category in (name for name in TOPICS if name in asked):
        chosen = _as_map(asked[category])
        wanted = [topic for topic in TOPICS[category] if chosen.get(topic)]
        if wanted:
            found[category] = {topic: list(known.get(category, {}).get(topic, ())) for topic in wanted}
    return cast("Liked", found)


def _as_map(value: object) -> dict[str, object]:
    """Return a map as it is; the published world takes whatever comes, and raises where it is none."""
    if not isinstance(value, dict):
        fix = "Say for each category which topics you want: true or false."
        refuse("bad_arguments", "Categories must be maps of topics.", fix, fault=Fault.RAISED)
    return cast("dict[str, object]", value)
