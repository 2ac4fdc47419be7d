./graphs --gpu pascal.xml
