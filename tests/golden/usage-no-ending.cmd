mmul08 --gpu pascal.xml
