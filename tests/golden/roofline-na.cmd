roofline tests/golden/input/profile-na.csv --gpu tests/golden/input/peaks.xml
