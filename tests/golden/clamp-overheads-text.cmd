tests/golden/input/mix.idg --gpu tests/golden/input/slow.xml --groups 64 --overheads on --clamp roofline --tables
