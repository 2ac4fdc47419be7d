roofline - --gpu pascal.xml --format csv <graphs/saxpy.idg
