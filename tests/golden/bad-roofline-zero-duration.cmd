roofline tests/golden/input/profile-zero-duration.csv --gpu tests/golden/input/peaks.xml
