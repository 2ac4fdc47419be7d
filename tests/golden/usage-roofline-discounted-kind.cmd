roofline saxpy.idg --gpu pascal.xml --format gnuplot --chart-kind hierarchical --discounted 1
