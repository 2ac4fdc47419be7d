sweep --merge /dev/null
