show --help
