"""Natural adversarial curation."""
