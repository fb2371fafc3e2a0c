"""ICT: are the conditions for calling a tool complete? (arXiv 2406.12307)."""
