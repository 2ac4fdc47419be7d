roofline nosuch.csv --gpu pascal.xml
