roofline tests/golden/input/ncu.csv --gpu tests/golden/input/peaks.xml
