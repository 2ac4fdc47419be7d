roofline tests/golden/input/json-zero-duration.json --gpu tests/golden/input/peaks.xml
