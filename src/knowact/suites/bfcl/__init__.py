"""BFCL relevance: does it call where a tool fits, and only there?"""
