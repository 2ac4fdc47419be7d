saxpy.idg --gpu v100.xml --what-if l3.latency=5
