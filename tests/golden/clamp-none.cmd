tests/golden/input/mix.idg --gpu tests/golden/input/slow.xml --groups 64 --clamp none --tables
