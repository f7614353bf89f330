"""A trial: thousands of bad or odd calls over all public names, and a judge of what came of them."""
