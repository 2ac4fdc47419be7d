saxpy.idg --gpu v100.xml --levels off --what-if l2.latency=5
