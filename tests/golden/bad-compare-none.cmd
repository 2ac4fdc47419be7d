compare --gpu pascal.xml
