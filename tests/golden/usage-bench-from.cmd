bench --from x.raw.csv --resume
