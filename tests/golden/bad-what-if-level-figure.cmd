saxpy.idg --gpu v100.xml --what-if l2.bytes=5
