library(rls2)

table <- read.csv("data/housing.csv")
cv <- cv.rls2(MEDV ~ ., table)
svg("curve.svg", width = 7, height = 5)
plot(cv, main = "Housing: error on left-out rows")
invisible(dev.off())
