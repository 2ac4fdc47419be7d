show graphs/mmul08.idg --param size=512
