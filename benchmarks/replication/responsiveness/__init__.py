"""Verification of responsiveness."""
