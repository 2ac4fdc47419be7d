roofline tests/golden/input/json-fraction.json --gpu tests/golden/input/peaks.xml
