"""FAIL-TaLMs: what does an agent do when a query is under-specified or a tool is unavailable?"""
