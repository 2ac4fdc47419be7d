roofline tests/golden/input/profile-negative.csv --gpu tests/golden/input/peaks.xml
