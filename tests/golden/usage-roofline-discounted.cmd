roofline saxpy.idg --gpu pascal.xml --format gnuplot --discounted 2
