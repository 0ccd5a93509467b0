# The installed R package: fits, predicts, and is held against ridge regression by solve().
library(rls2)

x <- scale(as.matrix(mtcars[-1]))
y <- mtcars$mpg
fit <- rls2(x, y, kernels = "linear@all", lambda = 0.05, scaling = "none")
a <- solve(crossprod(x) + 0.05 * diag(ncol(x)), crossprod(x, y - mean(y)))
stopifnot(all.equal(coef(fit, s = 0.05)[-1], a[, 1], tolerance = 1e-8))

cv <- cv.rls2(mpg ~ ., mtcars)
p <- predict(cv, mtcars, s = "lambda.1se")
stopifnot(length(p) == 32, cor(p, y) > 0.8)
print(cv)
cat("rls2", format(packageVersion("rls2")), "fits on", R.version.string, "in",
    find.package("rls2"), "\n")
