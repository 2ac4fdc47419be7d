sweep tests/golden/input/mix.idg --gpu tests/golden/input/slow.xml --groups 64 --vary active=1..max --what-if memory.issue=64
