"""Savage: adversarial data corruption."""
