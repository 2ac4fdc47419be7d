saxpy.idg --gpu pascal.xml --what-if l2.bandwidth=5
