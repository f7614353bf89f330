"""What loaded files and texts can do to the process that reads them."""
