"""Studies that no paper prints."""
