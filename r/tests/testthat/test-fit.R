# What fits say, and what they refuse.

test_that("a path has certificates and a formula is the same as its columns", {
  fit <- rls2(mpg ~ ., mtcars, kernels = "linear@each")
  again <- rls2(mtcars[-1], mtcars$mpg, kernels = "linear@each")
  expect_lt(max(fit$gap), 1e-6)
  expect_identical(fit$lambda, again$lambda)
  expect_identical(coef(fit), coef(again))
  expect_identical(fit$objective, again$objective)
})

test_that("coefficients in units of the columns give the predictions", {
  fit <- rls2(mpg ~ ., mtcars, kernels = "linear@each")
  a <- coef(fit, s = fit$lambda[12])
  f <- a[[1]] + as.matrix(mtcars[names(a)[-1]]) %*% a[-1]
  expect_equal(unname(f[, 1]), predict(fit, mtcars, s = fit$lambda[12]), tolerance = 1e-10)
  expect_equal(mtcars$mpg - f[, 1], residuals(fit, s = fit$lambda[12]), ignore_attr = TRUE)
})

test_that("ridge regression on one kernel is solve()", {
  x <- scale(as.matrix(mtcars[-1]))
  y <- mtcars$mpg
  fit <- rls2(x, y, kernels = "linear@all", lambda = 0.05, scaling = "none")
  a <- solve(crossprod(x) + 0.05 * diag(ncol(x)), crossprod(x, y - mean(y)))
  expect_equal(coef(fit, s = 0.05)[-1], a[, 1], tolerance = 1e-8)
})

test_that("lambda.1se is glmnet's rule and seeds decide folds, not R's", {
  set.seed(1)
  before <- .Random.seed
  cv <- cv.rls2(mpg ~ ., mtcars, nfolds = 5, kernels = "linear@each")
  expect_identical(.Random.seed, before)
  best <- which.min(cv$cvm)
  expect_identical(cv$lambda.min, cv$lambda[best])
  expect_identical(cv$lambda.1se, max(cv$lambda[cv$cvm <= cv$cvm[best] + cv$cvsd[best]]))
  other <- cv.rls2(mpg ~ ., mtcars, nfolds = 5, kernels = "linear@each", seed = 7)
  expect_false(identical(cv$cvm, other$cvm))
  one <- cv.rls2(mpg ~ ., mtcars, nfolds = 5, kernels = "linear@each", threads = 1)
  expect_identical(cv$cvm, one$cvm)
})

test_that("folds may be given", {
  fold <- rep(c("a", "b", "c", "d"), 8)
  cv <- cv.rls2(mtcars["wt"], mtcars$mpg, kernels = "linear", foldid = fold, lambda = 0.1,
                type.measure = "mse")
  errors <- vapply(unique(fold), function(k) {
    fit <- rls2(mtcars["wt"][fold != k, , drop = FALSE], mtcars$mpg[fold != k], kernels = "linear",
                lambda = 0.1)
    mean((mtcars$mpg[fold == k] - predict(fit, mtcars["wt"][fold == k, , drop = FALSE]))^2)
  }, 1)
  expect_equal(cv$cvm, mean(errors), tolerance = 1e-8)
})

test_that("classes come back as the factor they were", {
  y <- factor(ifelse(mtcars$am == 1, "manual", "auto"), levels = c("manual", "auto"))
  cv <- cv.rls2(mtcars[c("wt", "hp")], y, family = "binomial", kernels = "linear", nfolds = 4)
  p <- predict(cv, mtcars, type = "response")
  expect_identical(colnames(p), levels(y))
  expect_equal(rowSums(p), rep(1, 32))
  link <- predict(cv, mtcars, type = "link")
  expect_equal(unname(p[, 2]), 1 / (1 + exp(-link)), tolerance = 1e-12)
  class <- predict(cv, mtcars, type = "class")
  expect_identical(levels(class), levels(y))
  expect_identical(as.vector(class), ifelse(link >= 0, "auto", "manual"))
  a <- coef(cv)
  expect_equal(a[[1]] + as.vector(as.matrix(mtcars[c("wt", "hp")]) %*% a[-1]), link)
})

test_that("missing cells, factors and counts are learned from", {
  cv <- cv.rls2(Ozone ~ ., airquality, kernels = "linear@each", na.action = na.exclude, nfolds = 5)
  expect_length(residuals(cv), nrow(airquality))
  expect_identical(nobs(cv), sum(stats::complete.cases(airquality)))
  counts <- rls2(breaks ~ wool + tension, warpbreaks, family = "poisson", kernels = "linear@each")
  expect_true(all(predict(counts, s = 0.1) > 0))
})

test_that("a fit that was saved by R predicts the same", {
  fit <- rls2(mpg ~ wt + hp, mtcars)
  cv <- cv.rls2(mpg ~ wt + hp, mtcars, nfolds = 4, plain = TRUE)
  back <- unserialize(serialize(list(fit, cv), NULL))
  expect_identical(predict(back[[1]], mtcars), predict(fit, mtcars))
  expect_identical(predict(back[[2]], mtcars), predict(cv, mtcars))
  expect_identical(predict(back[[2]], mtcars, s = "lambda.1se"),
                   predict(cv, mtcars, s = "lambda.1se"))
})

test_that("a lambda off the grid is fitted", {
  fit <- rls2(mpg ~ ., mtcars, kernels = "linear@each")
  alone <- rls2(mpg ~ ., mtcars, kernels = "linear@each", lambda = 0.0123)
  expect_equal(coef(fit, s = 0.0123), coef(alone, s = 0.0123), tolerance = 1e-4)
})

test_that("what cannot be done is said", {
  expect_error(rls2(mpg ~ wt:hp, mtcars), "interactions")
  expect_error(rls2(mpg ~ wt + offset(hp), mtcars), "offset")
  expect_error(rls2(mtcars[-1], mtcars$mpg, kernelz = "linear"), "did you mean 'kernels'")
  expect_error(rls2(mtcars[-1], mtcars$mpg[-1]), "32 rows and y has 31")
  expect_error(rls2(mtcars[-1], mtcars$mpg, family = "cox"), "no family 'cox'")
  expect_error(rls2(mtcars[-1], mtcars$mpg, target = "wt"), "formula")
  expect_error(predict(cv.rls2(mtcars["wt"], mtcars$mpg, kernels = "linear"), mtcars["hp"]), "wt")
})

test_that("a fit can be stopped from its progress", {
  x <- matrix(sin(seq_len(40000)), 1000)
  stopped <- tryCatch(rls2(x, x[, 1] + x[, 2], progress = function(...) stop("enough")),
                      interrupt = function(e) "stopped")
  expect_identical(stopped, "stopped")
})

test_that("generics are known where they are loaded", {
  skip_if_not_installed("generics")
  cv <- cv.rls2(mpg ~ wt, mtcars, kernels = "linear", nfolds = 4)
  expect_identical(generics::tidy(cv)$estimate, cv$cvm)
  expect_identical(generics::glance(cv)$lambda.min, cv$lambda.min)
})
