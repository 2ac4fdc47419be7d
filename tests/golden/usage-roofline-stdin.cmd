roofline - - --gpu pascal.xml
