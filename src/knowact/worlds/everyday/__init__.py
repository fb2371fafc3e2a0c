"""The everyday world: executable tools of daily life, for tasks that can be proven.

A tool is one typed function in `tools/`; everything else about it is derived (`contract`). What would
be live comes from `sources`, what would be private from `private`, both drawn from the seed.
"""

from knowact.worlds.everyday.world import EverydayState, EverydayWorld

__all__ = ["EverydayState", "EverydayWorld"]
