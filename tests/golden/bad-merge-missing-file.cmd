sweep --merge nowhere.csv
