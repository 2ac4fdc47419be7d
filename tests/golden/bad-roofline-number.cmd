roofline tests/golden/input/profile-number.csv --gpu tests/golden/input/peaks.xml
