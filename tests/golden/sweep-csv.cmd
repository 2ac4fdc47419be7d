sweep mmul08.idg mmul16.idg --gpu pascal.xml --gpu fermi.xml --vary active=1,2 --param size=64 --format csv
