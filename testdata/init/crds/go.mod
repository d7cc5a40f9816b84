module example.com/caches

go 1.26
