bench v100.raw.csv
