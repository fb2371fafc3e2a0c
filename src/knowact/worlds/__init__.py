"""Places where calls have results: replay, everyday, and the overlay that changes them."""
