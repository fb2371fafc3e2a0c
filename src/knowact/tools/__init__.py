"""Other people's tools: from MCP servers, OpenAPI documents, Python modules and published collections."""
