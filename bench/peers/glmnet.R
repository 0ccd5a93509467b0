# glmnet, the linear case: METHOD PROBLEM SPLIT FOLDER; cv.glmnet on the same folds, a line of JSON.
suppressMessages(library(glmnet))
argument <- commandArgs(trailingOnly = TRUE)
target <- c(prostate = "lpsa", sparse = "y")[[argument[2]]]
file_of <- function(which) sprintf("%s/%s-%s.%s.csv", argument[4], argument[2], argument[3], which)
part <- function(which) as.matrix(read.csv(file_of(which)))
train <- part("train")
test <- part("test")
inputs <- setdiff(colnames(train), c(target, "fold"))
x <- scale(train[, inputs])
x_test <- scale(test[, inputs], attr(x, "scaled:center"), attr(x, "scaled:scale"))
y <- train[, target]

start <- proc.time()[["elapsed"]]
model <- cv.glmnet(x, y, foldid = train[, "fold"], standardize = FALSE)
seconds <- proc.time()[["elapsed"]] - start

prediction <- predict(model, x_test, s = "lambda.min")
coefficients <- as.numeric(coef(model, s = "lambda.min"))[-1]
cat(sprintf('{"seconds": %g, "score": %.17g, "t": %.17g, "coefficients": [%s]}\n', seconds,
    sqrt(mean((prediction - test[, target])^2)), model$lambda.min * length(y),
    paste(sprintf("%.17g", coefficients), collapse = ", ")))
