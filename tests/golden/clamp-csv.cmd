tests/golden/input/mix.idg --gpu tests/golden/input/slow.xml --groups 64 --format csv --what-if memory.issue=50 --measured 0.002
