bench --noise 0.02
