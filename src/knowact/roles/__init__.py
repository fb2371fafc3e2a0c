"""Who takes part beside the agent: extractor, judge, simulated user, helper, and people who audit."""
