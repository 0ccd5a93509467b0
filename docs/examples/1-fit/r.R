library(rls2)

table <- read.csv("data/prostate.csv")
table$train <- NULL
cv <- cv.rls2(lpsa ~ ., table, kernels = "linear")
cv
round(coef(cv), 4)
