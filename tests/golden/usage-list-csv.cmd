list --format csv
