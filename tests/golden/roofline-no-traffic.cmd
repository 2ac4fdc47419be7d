roofline tests/golden/input/profile-zero-traffic.csv --gpu tests/golden/input/peaks.xml
