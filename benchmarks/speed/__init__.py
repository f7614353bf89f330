"""How long the core and an audit take."""
