# Printing, tables and plots.

print.rls2 <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Call: ", deparse1(x$call), "\n\n", sep = "")
  cat(x$nobs, " rows, ", length(x$kernels), " kernels, loss ", x$loss, "\n\n", sep = "")
  print(data.frame(Kernels = x$nzero, Df = signif(x$df, digits), Lambda = signif(x$lambda, digits),
                   Gap = signif(x$gap, 2)), digits = digits, ...)
  invisible(x)
}

print.cv.rls2 <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Call: ", deparse1(x$call), "\n\n", sep = "")
  if (!is.null(x$cvm)) {
    cat("Measure: ", x$name, if (x$rises) " (more is better)", "\n\n", sep = "")
    i <- x$index
    print(data.frame(Lambda = signif(x$lambda[i], digits), Index = i,
                     Measure = signif(x$cvm[i], digits), SE = signif(x$cvsd[i], digits),
                     Kernels = x$nzero[i], row.names = names(i)), ...)
    cat("\n")
  }
  print(x$model, digits = digits)
  invisible(x)
}

print.rls2_model <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  a <- x$about
  cat("Model at lambda ", format(a$lambda, digits = digits), ", loss ", a$loss, ", ", a$rows,
      " rows, ", length(a$kernels), " kernels, relative gap ", format(a$gap, digits = 2), "\n",
      sep = "")
  if (length(a$members))
    cat("A stack of the sparse part (weight ", format(a$shares[1L], digits = 3), ") and ",
        paste0(a$members, " (", format(a$shares[-1L], digits = 3), ")", collapse = ", "), "\n",
        sep = "")
  weights <- sort(stats::setNames(a$weights, a$kernels), decreasing = TRUE)
  if (length(weights)) print(utils::head(weights, 10L), digits = digits)
  invisible(x)
}

summary.rls2 <- function(object, ...)
  data.frame(lambda = object$lambda, kernels = object$nzero, df = object$df,
             objective = object$objective, gap = object$gap, converged = object$converged)

summary.cv.rls2 <- function(object, ...) {
  if (is.null(object$cvm)) return(summary(object$fit))
  data.frame(lambda = object$lambda, cvm = object$cvm, cvsd = object$cvsd, kernels = object$nzero)
}

# ---- generics of broom ----

tidy.rls2 <- function(x, ...) {
  a <- as.matrix(coef(x))
  data.frame(term = rep(rownames(a), ncol(a)), step = rep(seq_len(ncol(a)), each = nrow(a)),
             estimate = as.vector(a), lambda = rep(x$lambda, each = nrow(a)))
}
tidy.cv.rls2 <- function(x, ...)
  data.frame(lambda = x$lambda, estimate = x$cvm, std.error = x$cvsd, conf.low = x$cvlo,
             conf.high = x$cvup, nzero = x$nzero)
glance.rls2 <- function(x, ...)
  data.frame(nobs = x$nobs, kernels = length(x$kernels), max.gap = max(x$gap))
glance.cv.rls2 <- function(x, ...)
  data.frame(lambda.min = x$lambda.min, lambda.1se = x$lambda.1se, nobs = x$fit$nobs)

# ---- plots ----

# Weights of kernels, or coefficients where every kernel is linear, along the path.
plot.rls2 <- function(x, label = TRUE, xlab = expression(log(lambda)), ylab = NULL, ...) {
  a <- coef(x)
  if (length(dim(a)) != 2L) stop("one response is needed for a plot of the path", call. = FALSE)
  if (x$linear) a <- a[-1L, , drop = FALSE]
  if (is.null(ylab)) ylab <- if (x$linear) "Coefficients" else "Kernel weights"
  at <- log(x$lambda)
  room <- if (label) 0.2 * diff(range(at)) else 0
  matplot(at, t(a), type = "l", lty = 1, xlab = xlab, ylab = ylab,
          xlim = c(min(at) - room, max(at)), ...)
  abline(h = 0, lty = 3)
  ticks <- pretty(at)
  axis(3, at = ticks, labels = x$nzero[vapply(ticks, function(v) which.min(abs(at - v)), 1L)],
       tick = FALSE)
  if (label) {
    last <- a[, ncol(a)]
    shown <- order(-abs(last))[seq_len(min(12L, sum(last != 0)))]
    text(min(at), last[shown], rownames(a)[shown], cex = 0.7, pos = 2)
  }
  invisible(x)
}

plot.cv.rls2 <- function(x, what = c("curve", "effects"), xlab = expression(log(lambda)), ...) {
  if (match.arg(what) == "effects") return(plot(x$model, ...))
  if (is.null(x$cvm)) stop("there was no cross-validation", call. = FALSE)
  at <- log(x$lambda)
  plot(at, x$cvm, ylim = range(x$cvup, x$cvlo, x$cvm, na.rm = TRUE), xlab = xlab, ylab = x$name,
       type = "n", ...)
  segments(at, x$cvlo, at, x$cvup, col = "darkgrey")
  points(at, x$cvm, pch = 20, col = "red")
  axis(3, at = at, labels = round(x$nzero, 1), tick = FALSE)
  abline(v = log(c(x$lambda.min, x$lambda.1se)), lty = 3)
  invisible(x)
}

# What inputs do to the prediction: partial dependence, as the library has it.
effects_rls2 <- function(object, inputs = NULL, output = 1L) {
  model <- if (inherits(object, "cv.rls2")) object$model else object
  if (is.null(inputs)) inputs <- model$about$inputs
  place <- match(inputs, model$about$inputs)
  if (anyNA(place)) stop("there is no input '", inputs[is.na(place)][1L], "'", call. = FALSE)
  made <- lapply(place, function(i)
    as.data.frame(.Call(r_model_effect, model_pointer(model), i, as.integer(output))))
  made <- stats::setNames(made, inputs)
  made <- made[vapply(made, nrow, 1L) > 0L]
  made[order(-vapply(made, function(e) diff(range(e$effect)), 1))]
}

plot.rls2_model <- function(x, inputs = NULL, most = 9, ...) {
  effects <- effects_rls2(x, inputs)
  effects <- effects[seq_len(min(most, length(effects)))]
  if (!length(effects)) stop("no input has an effect", call. = FALSE)
  old <- par(mfrow = n2mfrow(length(effects)), mar = c(4, 4, 1, 1))
  on.exit(par(old))
  range <- range(lapply(effects, `[[`, "effect"))
  for (name in names(effects)) {
    e <- effects[[name]]
    if (all(is.na(e$level)))
      plot(e$value, e$effect, type = "l", ylim = range, xlab = name, ylab = "effect", ...)
    else barplot(e$effect, names.arg = ifelse(is.na(e$level), e$value, e$level), ylim = range,
                 xlab = name, ylab = "effect")
  }
  invisible(x)
}
