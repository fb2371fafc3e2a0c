"""Other people's tools: from MCP servers, OpenAPI documents and Python modules."""
