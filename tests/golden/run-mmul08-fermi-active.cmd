mmul08.idg --gpu fermi.xml --active 4 --format csv
