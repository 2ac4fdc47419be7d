bench --grid small
