sweep --merge ''
