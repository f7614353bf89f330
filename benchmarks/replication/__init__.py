"""The numbers that five papers print, beside ours."""
