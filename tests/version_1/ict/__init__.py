"""ICT data from the everyday world: `knowact forge ict`."""
