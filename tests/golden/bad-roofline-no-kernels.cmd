roofline tests/golden/input/profile-no-kernels.csv --gpu tests/golden/input/peaks.xml
