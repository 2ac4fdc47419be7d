show pascal.xml --dot
