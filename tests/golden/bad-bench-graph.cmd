bench --backend model:saxpy.idg -o no-such.xml
