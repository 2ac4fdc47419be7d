show pascal.xml --sources
