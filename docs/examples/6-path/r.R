library(rls2)

table <- read.csv("data/prostate.csv")
table$train <- NULL
fit <- rls2(lpsa ~ ., table, kernels = "linear")
svg("path.svg", width = 7, height = 5)
plot(fit, main = "Prostate: coefficients along the path")
invisible(dev.off())
cat("largest relative gap", format(max(fit$gap), digits = 2), "\n")
