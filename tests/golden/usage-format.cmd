mmul08.idg --gpu pascal.xml --format xml
