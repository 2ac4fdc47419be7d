tests/golden/input/ncu.csv --gpu pascal.xml
