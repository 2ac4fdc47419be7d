validate pascal.xml --from nothing.csv --grid full
