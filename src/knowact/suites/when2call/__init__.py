"""When2Call: call a tool, ask, decline, or answer?"""
