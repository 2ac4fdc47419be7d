sweep mmul08.idg mmul16.idg --gpu fermi.xml --vary active=1,2 --measured 5
