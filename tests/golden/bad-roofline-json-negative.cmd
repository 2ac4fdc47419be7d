roofline tests/golden/input/json-negative.json --gpu tests/golden/input/peaks.xml
