"""KAPRO: does the agent know which tools a task needs, and use exactly those?"""
