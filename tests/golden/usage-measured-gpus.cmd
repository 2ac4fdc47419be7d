sweep mmul08.idg --gpu pascal.xml --gpu fermi.xml --vary active=1,2 --measured 5
