tests/golden/input/mix.idg --gpu tests/golden/input/refined.xml --schedulers none --policy fifo --order dataflow --cus fullest --overheads off --contention off --tables
