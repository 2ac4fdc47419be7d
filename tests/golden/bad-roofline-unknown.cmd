roofline tests/golden/input/profile-unknown.csv --gpu tests/golden/input/peaks.xml
