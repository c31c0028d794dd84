"""What the load scripts share: the service as a child process, a fast HTTP client, and figures. Standard library only."""
