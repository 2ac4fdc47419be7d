roofline tests/golden/input/profile-overflow.csv --gpu tests/golden/input/peaks.xml
