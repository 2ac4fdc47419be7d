sweep mmul08.idg --gpu pascal.xml --vary active=1 --quick
