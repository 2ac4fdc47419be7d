bench --raw x.xml -o x.xml
