sweep --merge
