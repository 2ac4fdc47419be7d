sweep pascal.xml --gpu mmul08.idg --vary active=1
