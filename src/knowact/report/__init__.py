"""Records to tables, figures and a page. Knows no suite by name."""
