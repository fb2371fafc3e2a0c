"""The clock, minute by minute."""


def minute_after(time: str) -> str:
    hour, minute = int(time[:2]), int(time[3:])
    if minute < 59:
        return f"{hour:02d}:{minute + 1:02d}"
    return f"{hour + 1:02d}:00" if hour < 23 else "00:00"


def minutes_until(start: str, end: str) -> int:
    """Minutes until the clock shows `end` for the first time; 0 if it does so at the start."""
    minutes = 0
    while start != end:
        start, minutes = minute_after(start), minutes + 1
    return minutes
