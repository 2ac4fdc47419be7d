tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --schedulers 4 --order program --policy gto --contention on --overheads on --cus all --format json
