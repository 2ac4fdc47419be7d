sweep tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --groups 12 --vary active=1,2 --vary n=1..3 --policy gto --format csv
