show pascal.xml --param size=1
