sweep --merge tests
