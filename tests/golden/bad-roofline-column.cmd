roofline tests/golden/input/profile-column.csv --gpu tests/golden/input/peaks.xml
