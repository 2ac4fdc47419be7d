fadd.idg --gpu fermi.xml --contention on
