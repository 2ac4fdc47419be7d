sweep tests/golden/input/chain.idg --gpu tests/golden/input/toy.xml --vary n=1..8*2 --vary alu.issue=0.5..1.5+0.5 --groups 16 --format csv
