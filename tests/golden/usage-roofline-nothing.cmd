roofline --gpu pascal.xml
