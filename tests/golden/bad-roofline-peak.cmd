roofline dfma.idg --gpu tests/golden/input/peaks.xml
