library(testthat)
library(rls2)
test_check("rls2")
