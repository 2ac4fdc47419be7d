show mi210.xml
