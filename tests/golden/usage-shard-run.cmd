mmul08.idg --gpu pascal.xml --shard 1/2
