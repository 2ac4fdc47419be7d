build --help
