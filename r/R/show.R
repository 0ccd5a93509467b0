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

# Lambda falls from left to right: kernels come in one after another.
falling <- function(lambda) rev(range(lambda))

# The values nearest to y that are at least `gap` apart, in the same order.
spread_apart <- function(y, gap) {
  o <- order(y)
  steps <- gap * seq_along(y)
  y[o] <- stats::isoreg(y[o] - steps)$yf + steps
  y
}

colours_of <- function(count) {
  base <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
  rep_len(base, count)
}

# Names of curves in the right margin, beside their ends.
name_curves <- function(ends, names, colours, cex = 0.75) {
  usr <- par("usr")
  gap <- 1.1 * diff(usr[3:4]) / par("pin")[2] * cex * par("cin")[2]
  place <- rank(ends, ties.method = "first")
  inside <- pmax(ends, usr[3] + gap * (place - 0.5))
  inside <- pmin(inside, usr[4] - gap * (length(ends) - place + 0.5))
  at <- spread_apart(inside, gap)
  line <- function(k) 10^(usr[2] + k * (usr[2] - usr[1]) / par("pin")[1] * par("cin")[2])
  segments(line(0.1), ends, line(0.7), at, col = colours, xpd = NA)
  text(line(0.8), at, names, col = colours, cex = cex, adj = c(0, 0.5), xpd = NA)
}

head_room <- function(main) if (is.null(main)) 3.1 else 5.1

# How many kernels are selected, above the plot, and the title above that.
count_kernels <- function(lambda, nzero, main) {
  graphics::title(main, line = 3.2)
  axis(3, at = lambda, labels = format(nzero, digits = 2, trim = TRUE), tick = FALSE, line = -0.6,
       cex.axis = 0.8)
  graphics::mtext("selected kernels", side = 3, line = 1.6, cex = 0.8)
}

# Weights of kernels, or coefficients where every kernel is linear, along the path.
plot.rls2 <- function(x, label = TRUE, xlab = expression(lambda), ylab = NULL, most = 12,
                      main = NULL, ...) {
  a <- coef(x)
  if (length(dim(a)) != 2L) stop("one response is needed for a plot of the path", call. = FALSE)
  if (x$linear) a <- a[-1L, , drop = FALSE]
  if (is.null(ylab)) ylab <- if (x$linear) "coefficient" else "kernel weight"
  largest <- apply(abs(a), 1L, max)
  a <- a[largest > 0, , drop = FALSE]
  a <- a[order(-abs(a[, ncol(a)]), -largest[largest > 0]), , drop = FALSE]
  named <- seq_len(min(most, sum(a[, ncol(a)] != 0)))
  colours <- c(colours_of(length(named)), rep("grey70", nrow(a) - length(named)))
  room <- if (label && length(named)) 2 + 0.45 * max(nchar(rownames(a)[named])) else 1
  old <- par(mar = c(4.1, 4.1, head_room(main), room))
  on.exit(par(old))
  plot(range(x$lambda), range(a, 0), log = "x", xlim = falling(x$lambda), type = "n", xlab = xlab,
       ylab = ylab, ...)
  abline(h = 0, col = "grey80")
  if (nrow(a)) graphics::matlines(x$lambda, t(a)[, rev(seq_len(nrow(a)))], lty = 1, lwd = 1.5,
                                  col = rev(colours))
  count_kernels(x$lambda, x$nzero, main)
  if (label && length(named)) name_curves(a[named, ncol(a)], rownames(a)[named], colours[named])
  invisible(x)
}

plot.cv.rls2 <- function(x, what = c("curve", "effects"), xlab = expression(lambda), main = NULL,
                         ...) {
  if (match.arg(what) == "effects") return(plot(x$model, ...))
  if (is.null(x$cvm)) stop("there was no cross-validation", call. = FALSE)
  old <- par(mar = c(4.1, 4.1, head_room(main), 1.1))
  on.exit(par(old))
  plot(x$lambda, x$cvm, log = "x", xlim = falling(x$lambda), xlab = xlab, ylab = x$name, type = "n",
       ylim = range(x$cvup, x$cvlo, x$cvm, na.rm = TRUE), ...)
  chosen <- c(lambda.min = x$lambda.min, lambda.1se = x$lambda.1se)
  abline(v = chosen, lty = c(2, 3), col = "grey40")
  segments(x$lambda, x$cvlo, x$lambda, x$cvup, col = "grey60")
  points(x$lambda, x$cvm, pch = 20, col = colours_of(2L)[2L])
  count_kernels(x$lambda, x$nzero, main)
  graphics::legend(if (x$rises) "bottomright" else "topright", names(chosen), lty = c(2, 3),
                   col = "grey40", bty = "n", cex = 0.8)
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

plot.rls2_model <- function(x, inputs = NULL, most = 9, output = 1L, ylab = NULL, ...) {
  effects <- effects_rls2(x, inputs, output)
  effects <- effects[seq_len(min(most, length(effects)))]
  if (!length(effects)) stop("no input has an effect", call. = FALSE)
  if (is.null(ylab)) ylab <- paste("effect on", scale_of(x, output))
  old <- par(mfrow = n2mfrow(length(effects))[2:1], mar = c(4, 4, 0.6, 0.6), mgp = c(2.4, 0.8, 0))
  on.exit(par(old))
  range <- range(lapply(effects, `[`, c("effect", "lower", "upper")), na.rm = TRUE)
  for (name in names(effects)) plot_effect(effects[[name]], name, range, ylab, ...)
  invisible(x)
}

scale_of <- function(model, output) {
  if (has_probabilities(model)) return("log odds")
  name <- if (is.null(model$terms)) model$about$outputs[output] else deparse1(model$terms[[2L]])
  if (model$about$loss == "poisson") paste("log rate of", name) else name
}

# A line with the band of most rows, or bars with whiskers.
plot_effect <- function(e, name, range, ylab, ...) {
  colour <- colours_of(1L)
  known <- !is.na(e$value)
  if (!any(known)) {
    bars <- barplot(e$effect, names.arg = e$level, ylim = range, xlab = name, ylab = ylab,
                    col = "#9CC7E3", border = NA)
    segments(bars, e$lower, bars, e$upper, col = colour)
    return(abline(h = 0, col = "grey80"))
  }
  missing <- e$effect[!known] # of cells without a number
  e <- e[known, ]
  plot(e$value, e$effect, type = "n", ylim = range, xlab = name, ylab = ylab, ...)
  band <- !is.na(e$lower) & !is.na(e$upper)
  graphics::polygon(c(e$value[band], rev(e$value[band])), c(e$lower[band], rev(e$upper[band])),
                    col = "#DCEBF5", border = NA)
  abline(h = 0, col = "grey80")
  graphics::lines(e$value, e$effect, col = colour, lwd = 1.5)
  if (length(missing)) {
    abline(h = missing, col = colour, lty = 3)
    text(max(e$value), missing, "missing", adj = c(1, -0.3), cex = 0.75, col = colour)
  }
}
