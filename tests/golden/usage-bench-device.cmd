bench --device many
