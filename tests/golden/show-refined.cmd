show tests/golden/input/refined.xml
