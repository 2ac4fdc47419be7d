roofline tests/golden/input/profile-cut.csv --gpu tests/golden/input/peaks.xml
