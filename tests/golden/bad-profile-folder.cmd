roofline tests --gpu pascal.xml
