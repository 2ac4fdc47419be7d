validate pascal.xml --from x.csv --points ''
