"""What navigation, weather service, address book and calendars know (CAR-bench)."""

from knowact.worlds.car.databases.base import Counts, Databases, Detour

__all__ = ["Counts", "Databases", "Detour"]
