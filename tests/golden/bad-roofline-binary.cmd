roofline tests/golden/input/profile-binary.nvvp --gpu tests/golden/input/peaks.xml
