bench --backend model:
