"""Building datasets: plans sampled from a world, put into words, executed, proven, and selected."""
