"""The simulated driver of a car task: what is scripted of it, and the driver that only follows the script."""
