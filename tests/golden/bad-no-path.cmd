some/nosuch.idg --gpu pascal.xml
