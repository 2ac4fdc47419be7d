roofline tests/golden/input/devices.json --gpu tests/golden/input/peaks.xml
