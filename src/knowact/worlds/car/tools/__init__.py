"""The tools of the car world, one module per part of the car."""
