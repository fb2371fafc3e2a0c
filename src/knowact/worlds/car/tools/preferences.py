"""Cross-domain: what the driver likes (CAR-bench)."""

from collections.abc import Mapping
from typing import Annotated, Final, NotRequired, TypedDict, TypeVar, cast

from pydantic import JsonValue

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.paths import members
from knowact.worlds.typed.schema import Attribute, Shape, fact, of_type, part


class AskedPlaces(TypedDict):
    """Kinds of places."""

    airports: NotRequired[Annotated[bool, "True to ask about airports."]]
    bakery: NotRequired[Annotated[bool, "True to ask about bakeries."]]
    fast_food: NotRequired[Annotated[bool, "True to ask about fast food."]]
    parking: NotRequired[Annotated[bool, "True to ask about car parks."]]
    public_toilets: NotRequired[Annotated[bool, "True to ask about public toilets."]]
    restaurants: NotRequired[Annotated[bool, "True to ask about restaurants."]]
    supermarkets: NotRequired[Annotated[bool, "True to ask about supermarkets."]]
    charging_stations: NotRequired[Annotated[bool, "True to ask about charging stations."]]


class AskedRoutes(TypedDict):
    """Topics of navigation."""

    route_selection: NotRequired[Annotated[bool, "True to ask which routes the driver prefers."]]


class AskedVehicle(TypedDict):
    """Topics of the car."""

    climate_control: NotRequired[Annotated[bool, "True to ask about air and warmth."]]
    vehicle_settings: NotRequired[Annotated[bool, "True to ask about everything else in the car."]]


class AskedWork(TypedDict):
    """Topics of work."""

    email: NotRequired[Annotated[bool, "True to ask about e-mail."]]
    calendar: NotRequired[Annotated[bool, "True to ask about the calendar."]]


class AskedWeather(TypedDict):
    """Topics of the weather."""

    weather: NotRequired[Annotated[bool, "True to ask about the weather."]]


class Asked(TypedDict):
    """What is asked for, by category."""

    points_of_interest: NotRequired[Annotated[AskedPlaces, "Kinds of places."]]
    navigation_and_routing: NotRequired[Annotated[AskedRoutes, "Topics of navigation."]]
    vehicle_settings: NotRequired[Annotated[AskedVehicle, "Topics of the car."]]
    productivity_and_communication: NotRequired[Annotated[AskedWork, "Topics of work."]]
    weather: NotRequired[Annotated[AskedWeather, "Topics of the weather."]]


class LikedPlaces(Shape):
    """Preferences about places; only what was asked for is there."""

    airports: list[str] | None = fact("preference.airports", "About airports.", default=None)
    bakery: list[str] | None = fact("preference.bakery", "About bakeries.", default=None)
    fast_food: list[str] | None = fact("preference.fast_food", "About fast food.", default=None)
    parking: list[str] | None = fact("preference.parking", "About car parks.", default=None)
    public_toilets: list[str] | None = fact(
        "preference.public_toilets", "About public toilets.", default=None
    )
    restaurants: list[str] | None = fact("preference.restaurants", "About restaurants.", default=None)
    supermarkets: list[str] | None = fact("preference.supermarkets", "About supermarkets.", default=None)
    charging_stations: list[str] | None = fact(
        "preference.charging_stations", "About charging stations.", default=None
    )


class LikedRoutes(Shape):
    """Preferences about navigation; only what was asked for is there."""

    route_selection: list[str] | None = fact(
        "preference.route_selection", "Which routes the driver prefers.", default=None
    )


class LikedVehicle(Shape):
    """Preferences about the car; only what was asked for is there."""

    climate_control: list[str] | None = fact(
        "preference.climate_control", "About air and warmth.", default=None
    )
    vehicle_settings: list[str] | None = fact(
        "preference.vehicle_settings", "About everything else in the car.", default=None
    )


class LikedWork(Shape):
    """Preferences about work; only what was asked for is there."""

    email: list[str] | None = fact("preference.email", "About e-mail.", default=None)
    calendar: list[str] | None = fact("preference.calendar", "About the calendar.", default=None)


class LikedWeather(Shape):
    """Preferences about the weather; only what was asked for is there."""

    weather: list[str] | None = fact("preference.weather", "About the weather.", default=None)


_Liked = TypeVar("_Liked", bound=Shape)
TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    category: tuple(members(members(topics)["properties"]))
    for category, topics in members(of_type(Asked)["properties"]).items()
}
"""By category, what can be asked about."""


class UserPreferences(Shape):
    points_of_interest: LikedPlaces | None = part("About places.", default=None)
    navigation_and_routing: LikedRoutes | None = part("About navigation.", default=None)
    vehicle_settings: LikedVehicle | None = part("About the car.", default=None)
    productivity_and_communication: LikedWork | None = part("About work.", default=None)
    weather: LikedWeather | None = part("About the weather.", default=None)


@car_tool("Cross-domain", open_when_published=("preference_categories",))
def get_user_preferences(
    car: Car, preference_categories: Annotated[Asked, Attribute("preference.categories")]
) -> UserPreferences:
    """Look up what the driver has said before about what they like, a list of sentences for each topic.

    An empty list says that nothing is known about that topic.

    Args:
        preference_categories: The topics to look up, by category; name only those that matter.
    """
    asked = _as_map(cast("JsonValue", preference_categories))

    def liked(category: str, kind: type[_Liked]) -> _Liked | None:
        if category not in asked:
            return None
        chosen = _as_map(asked[category])
        topics = [topic for topic in TOPICS[category] if chosen.get(topic)]
        known = car.context.user_preferences.get(category, {})
        return kind.filled({topic: list(known.get(topic, ())) for topic in topics}) if topics else None

    return UserPreferences(
        points_of_interest=liked("points_of_interest", LikedPlaces),
        navigation_and_routing=liked("navigation_and_routing", LikedRoutes),
        vehicle_settings=liked("vehicle_settings", LikedVehicle),
        productivity_and_communication=liked("productivity_and_communication", LikedWork),
        weather=liked("weather", LikedWeather),
    )


def _as_map(value: JsonValue) -> Mapping[str, JsonValue]:
    """Return a map as it is; the published world takes whatever comes, and raises where it is none."""
    if not isinstance(value, dict):
        fix = "Say for each category which topics you want: true or false."
        refuse("bad_arguments", "Categories must be maps of topics.", fix, fault=Fault.RAISED)
    return value
