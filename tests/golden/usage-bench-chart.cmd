bench --chart hull.jpg
