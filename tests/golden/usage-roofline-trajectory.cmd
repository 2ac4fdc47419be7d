roofline saxpy.idg --gpu pascal.xml --format gnuplot --chart-kind quadrants --trajectory
