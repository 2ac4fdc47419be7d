sweep tests/golden/input/mix.idg --gpu tests/golden/input/slow.xml --groups 64 --vary memory.issue=32 --format json
