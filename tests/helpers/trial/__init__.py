"""A trial: bad and odd calls of all public names, and a judge of what came of them."""
