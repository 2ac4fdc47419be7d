roofline tests/golden/input/profile-empty.csv --gpu tests/golden/input/peaks.xml
