saxpy.idg --gpu v100.xml --levels off --cache warm
