bench --format csv
