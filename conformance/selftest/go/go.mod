module branchservice

go 1.25
