roofline tests/golden/input/ncu.csv saxpy.idg --gpu tests/golden/input/peaks.xml --launches apart --format csv
