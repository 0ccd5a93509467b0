# Against glmnet. With linear kernels of one column each, RLS2 is the lasso in another
# parametrisation: sum_j |a_j| / sqrt(s_j), squared, is penalised by lambda / 2. So its solution at
# lambda is that of the lasso at lambda sum_j |a_j| / sqrt(s_j).

test_that("linear@each is the lasso of the same penalty", {
  skip_if_not_installed("glmnet")
  x <- scale(as.matrix(mtcars[-1]))
  y <- mtcars$mpg - mean(mtcars$mpg)
  n <- length(y)
  fit <- rls2(x, y, kernels = "linear@each", scaling = "none", standardize = FALSE, gap_tol = 1e-12)
  for (i in c(8, 14, 20)) {
    a <- coef(fit, s = fit$lambda[i])[-1]
    t <- fit$lambda[i] * sum(abs(a)) / n
    lasso <- glmnet::glmnet(x, y, lambda = t * c(100, 10, 3, 1), standardize = FALSE,
                            intercept = FALSE, thresh = 1e-20, maxit = 1e7)
    expect_equal(unname(a), unname(as.matrix(lasso$beta)[, 4]), tolerance = 1e-5)
  }
})
