bench --backend metal
