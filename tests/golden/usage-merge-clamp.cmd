sweep --merge a.csv b.csv --clamp none
