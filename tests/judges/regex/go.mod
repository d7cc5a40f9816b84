module regexjudge

go 1.19
