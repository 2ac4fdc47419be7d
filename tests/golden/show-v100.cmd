show v100.xml
