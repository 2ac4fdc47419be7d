sweep --merge part1.csv --gpu pascal.xml
