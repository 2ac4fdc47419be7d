compare mmul08.idg nowhere.idg --gpu pascal.xml
