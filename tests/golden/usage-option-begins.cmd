show mmul08 --par size=3
