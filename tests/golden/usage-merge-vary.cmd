sweep --merge part1.csv --vary n=1
