"""Cross-domain: what the driver likes (CAR-bench)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, cast

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.typed.schema import Attribute, Shape, of_type


class AskedPlaces(Shape):
    """Kinds of places.

    Attributes:
        airports (bool, optional): True to ask about airports.
        bakery (bool, optional): True to ask about bakeries.
        fast_food (bool, optional): True to ask about fast food.
        parking (bool, optional): True to ask about car parks.
        public_toilets (bool, optional): True to ask about public toilets.
        restaurants (bool, optional): True to ask about restaurants.
        supermarkets (bool, optional): True to ask about supermarkets.
        charging_stations (bool, optional): True to ask about charging stations.
    """


class AskedRoutes(Shape):
    """Topics of navigation.

    Attributes:
        route_selection (bool, optional): True to ask which routes the driver prefers.
    """


class AskedVehicle(Shape):
    """Topics of the car.

    Attributes:
        climate_control (bool, optional): True to ask about air and warmth.
        vehicle_settings (bool, optional): True to ask about everything else in the car.
    """


class AskedWork(Shape):
    """Topics of work.

    Attributes:
        email (bool, optional): True to ask about e-mail.
        calendar (bool, optional): True to ask about the calendar.
    """


class AskedWeather(Shape):
    """Topics of the weather.

    Attributes:
        weather (bool, optional): True to ask about the weather.
    """


class Asked(Shape):
    """What is asked for, by category.

    Attributes:
        points_of_interest (AskedPlaces, optional): Kinds of places.
        navigation_and_routing (AskedRoutes, optional): Topics of navigation.
        vehicle_settings (AskedVehicle, optional): Topics of the car.
        productivity_and_communication (AskedWork, optional): Topics of work.
        weather (AskedWeather, optional): Topics of the weather.
    """


class LikedPlaces(Shape):
    """Preferences about places; only what was asked for is there.

    Attributes:
        airports (list[str], preference.airports, optional): About airports.
        bakery (list[str], preference.bakery, optional): About bakeries.
        fast_food (list[str], preference.fast_food, optional): About fast food.
        parking (list[str], preference.parking, optional): About car parks.
        public_toilets (list[str], preference.public_toilets, optional): About public toilets.
        restaurants (list[str], preference.restaurants, optional): About restaurants.
        supermarkets (list[str], preference.supermarkets, optional): About supermarkets.
        charging_stations (list[str], preference.charging_stations, optional): About charging stations.
    """


class LikedRoutes(Shape):
    """Preferences about navigation; only what was asked for is there.

    Attributes:
        route_selection (list[str], preference.route_selection, optional): Which routes the driver prefers.
    """


class LikedVehicle(Shape):
    """Preferences about the car; only what was asked for is there.

    Attributes:
        climate_control (list[str], preference.climate_control, optional): About air and warmth.
        vehicle_settings (list[str], preference.vehicle_settings, optional): About everything else in the car.
    """


class LikedWork(Shape):
    """Preferences about work; only what was asked for is there.

    Attributes:
        email (list[str], preference.email, optional): About e-mail.
        calendar (list[str], preference.calendar, optional): About the calendar.
    """


class LikedWeather(Shape):
    """Preferences about the weather; only what was asked for is there.

    Attributes:
        weather (list[str], preference.weather, optional): About the weather.
    """


TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    category: tuple(topics["properties"]) for category, topics in of_type(Asked)["properties"].items()
}
"""By category, what can be asked about."""


@car_tool("Cross-domain", open_when_published=("preference_categories",))
def get_user_preferences(
    car: Car, preference_categories: Annotated[Asked, Attribute("preference.categories")]
) -> dict[str, Any]:
    """Look up what the driver has said before about what they like, a list of sentences for each topic.

    An empty list says that nothing is known about that topic.

    Args:
        preference_categories: The topics to look up, by category; name only those that matter.

    Returns:
        points_of_interest (LikedPlaces, optional): About places.
        navigation_and_routing (LikedRoutes, optional): About navigation.
        vehicle_settings (LikedVehicle, optional): About the car.
        productivity_and_communication (LikedWork, optional): About work.
        weather (LikedWeather, optional): About the weather.
    """
    known = car.context.user_preferences
    asked = _as_map(preference_categories)
    found: dict[str, dict[str, list[str]]] = {}
    for category in (name for name in TOPICS if name in asked):
        chosen = _as_map(asked[category])
        wanted = [topic for topic in TOPICS[category] if chosen.get(topic)]
        if wanted:
            found[category] = {topic: list(known.get(category, {}).get(topic, ())) for topic in wanted}
    return found


def _as_map(value: object) -> dict[str, object]:
    """Return a map as it is; the published world takes whatever comes, and raises where it is none."""
    if not isinstance(value, dict):
        fix = "Say for each category which topics you want: true or false."
        refuse("bad_arguments", "Categories must be maps of topics.", fix, fault=Fault.RAISED)
    return cast("dict[str, object]", value)
