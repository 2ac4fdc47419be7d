roofline tests/golden/input/json-overflow.json --gpu tests/golden/input/peaks.xml
