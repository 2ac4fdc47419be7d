tests --gpu pascal.xml
