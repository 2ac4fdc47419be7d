roofline tests/golden/input/ncu-no-traffic.csv --gpu tests/golden/input/peaks.xml
