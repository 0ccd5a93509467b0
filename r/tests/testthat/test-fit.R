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
  expect_error(rls2(am ~ wt + offset(hp), mtcars, family = "binomial"), "classes have none")
  expect_error(rls2(mtcars[-1], mtcars$mpg, offset = 1:3), "32 numbers")
  expect_error(rls2(mtcars[-1], mtcars$mpg, family = binomial("probit")), "not 'probit'")
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

test_that("offsets and weights are those of lm and glm, and likelihoods too", {
  d <- warpbreaks
  d$t <- seq_len(nrow(d)) / 10
  d$o <- cos(seq_len(nrow(d)))
  d$w <- rep(1:3, 18)
  small <- c(1e-3, 1e-9)
  line <- lm(breaks ~ t + offset(o), d, weights = w)
  fit <- rls2(breaks ~ t + offset(o), d, weights = w, kernels = "linear@all", lambda = small,
              intercept = "free", gap_tol = 1e-12)
  expect_equal(coef(fit, s = 1e-9), coef(line), tolerance = 1e-6)
  expect_equal(predict(fit, d[3:5, ], s = 1e-9), unname(predict(line, d[3:5, ])), tolerance = 1e-6)
  expect_equal(residuals(fit, s = 1e-9), unname(residuals(line)), tolerance = 1e-6)
  rows <- rep(seq_len(nrow(d)), d$w)
  many <- lm(breaks ~ t + offset(o), d[rows, ])
  expect_equal(as.numeric(logLik(fit, s = 1e-9)), as.numeric(logLik(many)), tolerance = 1e-8)
  rates <- glm(breaks ~ t, poisson, d, weights = w, offset = o)
  fit <- rls2(breaks ~ t, d, weights = w, offset = o, family = poisson, kernels = "linear@all",
              lambda = small, gap_tol = 1e-12)
  expect_equal(coef(fit, s = 1e-9), coef(rates), tolerance = 1e-5)
  expect_equal(fitted(fit, s = 1e-9), unname(fitted(rates)), tolerance = 1e-5)
  expect_equal(as.numeric(logLik(fit, s = 1e-9)), as.numeric(logLik(rates)), tolerance = 1e-7)
  expect_error(predict(fit, d, s = 1e-9), "newoffset")
  expect_equal(predict(fit, d, s = 1e-9, newoffset = d$o), fitted(fit, s = 1e-9))
})

test_that("terms sum to predictions", {
  sums <- function(t) attr(t, "constant") + rowSums(t)
  for (plain in c(TRUE, FALSE)) {
    cv <- cv.rls2(mpg ~ ., mtcars, nfolds = 4, plain = plain)
    expect_equal(sums(predict(cv, mtcars, type = "terms")), predict(cv, mtcars), tolerance = 1e-10)
  }
  y <- factor(mtcars$am, levels = 1:0)
  cv <- cv.rls2(mtcars[c("wt", "hp")], y, family = "binomial", nfolds = 4)
  terms <- predict(cv, mtcars, type = "terms")
  expect_identical(colnames(terms), predict(cv, type = "nonzero"))
  expect_equal(sums(terms), predict(cv, mtcars, type = "link"), tolerance = 1e-10)
  three <- cv.rls2(iris[1:4], iris$Species, kernels = "linear@each", nfolds = 3)
  found <- vapply(predict(three, iris, type = "terms"), sums, numeric(150))
  expect_equal(unname(found), unname(predict(three, iris, type = "link")), tolerance = 1e-10)
})

test_that("figures are drawn", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  cv <- cv.rls2(mpg ~ wt + hp + factor(cyl), mtcars, nfolds = 4)
  margins <- graphics::par("mar")
  plot(cv)
  plot(cv, "effects")
  plot(cv$fit, main = "weights")
  plot(rls2(mpg ~ ., mtcars, kernels = "linear@each"))
  expect_identical(graphics::par("mar"), margins)
  grDevices::dev.off()
  expect_gt(file.size(file), 5000)
  expect_equal(spread_apart(c(1, 5, 1.1), 0.5), c(0.8, 5, 1.3))
})
