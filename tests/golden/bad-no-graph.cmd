nosuch.idg --gpu pascal.xml
