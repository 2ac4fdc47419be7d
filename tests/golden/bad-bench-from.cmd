bench --from no-such.raw.csv
