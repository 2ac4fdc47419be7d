bench --quick --grid full
