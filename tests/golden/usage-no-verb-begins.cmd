mmul --gpu pascal.xml
