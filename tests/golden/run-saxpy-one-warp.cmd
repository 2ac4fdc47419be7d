saxpy.idg --gpu fermi.xml --groups 1 --group-size 32 --active 1 --tables
