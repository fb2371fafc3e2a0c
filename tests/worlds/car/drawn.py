"""Generated data, and what there is to draw from them."""

from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st

from knowact.worlds.car.databases.generated import generated_databases
from knowact.worlds.car.databases.rows import CATEGORIES, Category

DATA = generated_databases(0)
CITIES = tuple(DATA.locations.values())
PLACES: Sequence[Category] = [category for category in CATEGORIES if category != "airports"]

seeds = st.integers(0, 3)
cities = st.integers(0, len(CITIES) - 1)
pairs = st.tuples(cities, cities).filter(lambda pair: pair[0] != pair[1])
categories = st.sampled_from(CATEGORIES)
many = settings(deadline=None, max_examples=60)
