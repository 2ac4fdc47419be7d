bench --backend model:no-such.xml -o no-such.xml
