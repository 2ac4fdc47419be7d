tests/golden/input/mix.idg --gpu tests/golden/input/refined.xml --published --tables
