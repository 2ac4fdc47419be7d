show tests
