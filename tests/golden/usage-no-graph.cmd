run --gpu pascal.xml
