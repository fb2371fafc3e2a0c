"""What navigation, weather service, address book and calendars know (spec car-bench.md, section 4)."""

from knowact.worlds.car.databases.base import Counts, Databases, Detour

__all__ = ["Counts", "Databases", "Detour"]
