roofline tests/golden/input/profile-contradiction.csv --gpu tests/golden/input/peaks.xml
