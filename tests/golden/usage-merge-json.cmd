sweep --merge part1.csv --format json
