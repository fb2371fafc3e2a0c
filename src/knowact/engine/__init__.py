"""Everything that touches Inspect."""
