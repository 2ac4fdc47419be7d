roofline tests/golden/input/json-type.json --gpu tests/golden/input/peaks.xml
