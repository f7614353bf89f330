"""What the search finds, and what it costs."""
