mmul08.idg --gpu nosuch.xml
