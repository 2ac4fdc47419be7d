mmul08.idg --gpu gpus/pascal.xml --group-size 2048
