sweep --merge part1.csv --resume all.csv
