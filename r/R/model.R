# Models: one lambda of a path, kept as the bytes of a model file so that saveRDS keeps them too.

model_object <- function(pointer, p = NULL) {
  live <- new.env(parent = emptyenv())
  live$pointer <- pointer
  structure(list(bytes = .Call(r_model_pack, pointer), live = live, levels = p$levels,
                 about = .Call(r_model_about, pointer),
                 offset_in = if (!is.null(p$offset)) "argument"), class = "rls2_model")
}

# Pointers are gone after readRDS.
is_alive <- function(asked) tryCatch(!is.null(asked), error = function(e) FALSE)

model_pointer <- function(model) {
  if (!is_alive(.Call(r_model_about, model$live$pointer)))
    model$live$pointer <- .Call(r_model_unpack, model$bytes)
  model$live$pointer
}

# The fit of a path; made again after readRDS, where the pointer is gone.
fit_pointer <- function(object) {
  if (!is_alive(.Call(r_fit_about, object$live$pointer)))
    object$live$pointer <- run(object$problem, goals$path, object$lambda)
  object$live$pointer
}

# Models of a path at lambdas s; where one is not on the grid the path is followed to it.
models_at <- function(object, s = NULL) {
  if (is.null(s)) s <- object$lambda
  if (!is.numeric(s) || !length(s) || any(!is.finite(s) | s <= 0))
    stop("s should be positive values of lambda", call. = FALSE)
  nearest <- function(lambda) vapply(s, function(v) which.min(abs(lambda - v)), 1L)
  lambda <- object$lambda
  off <- abs(lambda[nearest(lambda)] - s) > 1e-6 * s
  pointer <- if (!any(off)) fit_pointer(object) else {
    lambda <- sort(unique(c(lambda, s[off])), decreasing = TRUE)
    run(object$problem, goals$path, lambda)
  }
  lapply(nearest(lambda), function(i) {
    made <- model_object(.Call(r_fit_model, pointer, i), object$problem)
    made[c("terms", "offset_in")] <- object[c("terms", "offset_in")]
    made
  })
}

cv_model <- function(object, s = NULL) {
  if (is.null(s)) return(object$model)
  if (is.character(s)) {
    s <- match.arg(s, c("lambda.min", "lambda.1se"))
    if (is.null(object[[s]])) stop("there was no cross-validation: give s as a number",
                                   call. = FALSE)
    s <- object[[s]]
  }
  if (length(s) != 1L) stop("s should be one value of lambda", call. = FALSE)
  if (isTRUE(all.equal(s, object$model$about$lambda, tolerance = 1e-6))) return(object$model)
  models_at(object$fit, s)[[1L]]
}

read_rls2 <- function(file) model_object(.Call(r_model_load, path.expand(file)))

write_rls2 <- function(object, file, s = NULL) {
  model <- if (inherits(object, "rls2_model")) object
           else if (inherits(object, "cv.rls2")) cv_model(object, s)
           else if (length(s) == 1L) models_at(object, s)[[1L]]
           else stop("say at which lambda: s", call. = FALSE)
  .Call(r_model_save, model_pointer(model), path.expand(file))
  invisible(object)
}

# ---- predictions ----

# Columns of new rows, and their offset where the model was fitted with one.
new_rows <- function(model, newdata, newoffset) {
  frame <- newdata
  if (!is.null(model$terms)) {
    frame <- model.frame(delete.response(model$terms), newdata, na.action = na.pass)
    if (identical(model$offset_in, "formula") && is.null(newoffset))
      newoffset <- model.offset(frame)
    frame <- frame[input_names(model$terms)]
  }
  columns <- columns_of(frame)
  if (is.null(colnames(frame)) && length(columns) == length(model$about$inputs))
    names(columns) <- model$about$inputs
  if (!is.null(model$offset_in) && is.null(newoffset))
    stop("the model was fitted with an offset: 'newoffset' should have that of the new rows",
         call. = FALSE)
  if (is.null(model$offset_in) && !is.null(newoffset))
    stop("the model was fitted without an offset", call. = FALSE)
  list(columns = columns, offset = row_numbers(newoffset, "newoffset", length(columns[[1L]])))
}

training_rows <- function(object)
  list(columns = object$problem$columns[object$problem$inputs], offset = object$problem$offset)

has_probabilities <- function(model) model$about$loss %in% c("logistic", "multinomial")

# Classes in the order of the factor that was learned from.
levels_of <- function(model) if (is.null(model$levels)) model$about$classes else model$levels

ask <- function(model, columns, what, threads)
  .Call(r_model_predict, model_pointer(model), columns, what, -1L, as.integer(threads))

# The offset is added to what was learned; rates of counts are multiplied.
with_offset <- function(model, made, type, offset) {
  if (is.null(offset)) return(made)
  if (model$about$loss != "poisson" || type == "link") return(made + offset)
  if (type == "interval")
    stop("there are no intervals of counts with an offset", call. = FALSE)
  made * exp(offset)
}

predict_numbers <- function(model, rows, type, threads) {
  if (type %in% c("class", "probability"))
    stop("type '", type, "' is for classes; the response is a number", call. = FALSE)
  made <- with_offset(model, ask(model, rows$columns, type, threads), type, rows$offset)
  if (type == "interval") {
    each <- ncol(made) / 2L
    names <- paste0(rep(c("lower", "upper"), each = each), if (each > 1L) seq_len(each))
    return(structure(made, dimnames = list(NULL, names)))
  }
  if (ncol(made) == 1L) as.vector(made) else
    structure(made, dimnames = list(NULL, model$about$outputs))
}

# 1, or -1 where the factor has the two classes in the other order than the library.
turn_of <- function(model) {
  classes <- model$about$classes
  if (length(classes) == 2L && levels_of(model)[2L] != classes[2L]) -1 else 1
}

predict_classes <- function(model, rows, type, threads) {
  classes <- model$about$classes
  levels <- levels_of(model)
  if (type == "interval") stop("intervals are for numbers, not classes", call. = FALSE)
  if (type == "response") type <- if (has_probabilities(model)) "probability" else "class"
  if (type == "probability") {
    p <- ask(model, rows$columns, "probability", threads)
    return(structure(p, dimnames = list(NULL, classes))[, levels, drop = FALSE])
  }
  f <- ask(model, rows$columns, "link", threads)
  if (type == "class") {
    k <- if (ncol(f) == 1L) 1L + (f[, 1L] >= 0)
         else apply(f, 1L, function(r) if (anyNA(r)) NA_integer_ else which.max(r))
    return(factor(classes[k], levels = levels))
  }
  if (ncol(f) > 1L) return(structure(f, dimnames = list(NULL, classes))[, levels, drop = FALSE])
  as.vector(f) * turn_of(model)
}

# What each kernel adds to the predictions, on the scale of the loss: a matrix, or one for each
# output.
predict_terms <- function(model, rows, threads) {
  made <- lapply(seq_along(model$about$outputs), function(o) {
    parts <- .Call(r_model_terms, model_pointer(model), rows$columns, o, as.integer(threads))
    structure(turn_of(model) * parts, constant = turn_of(model) * model$about$base[o])
  })
  if (length(made) == 1L) made[[1L]] else stats::setNames(made, model$about$outputs)
}

predict_rows <- function(model, rows, type, threads = 2L) {
  type <- match.arg(type, c("response", "link", "class", "probability", "interval", "terms"))
  if (type == "terms") predict_terms(model, rows, threads)
  else if (length(model$about$classes)) predict_classes(model, rows, type, threads)
  else predict_numbers(model, rows, type, threads)
}

predict.rls2_model <- function(object, newx, type = "response", newdata = newx, newoffset = NULL,
                               threads = 2, ...)
  predict_rows(object, new_rows(object, newdata, newoffset), type, threads)

predict.cv.rls2 <- function(object, newx, s = NULL, type = "response", newdata = newx,
                            newoffset = NULL, threads = 2, ...) {
  model <- cv_model(object, s)
  if (type == "coefficients") return(coef(model))
  if (type == "nonzero") return(model$about$kernels)
  rows <- if (missing(newx) && missing(newdata)) training_rows(object$fit)
          else new_rows(model, newdata, newoffset)
  predict_rows(model, rows, type, threads)
}

predict.rls2 <- function(object, newx, s = NULL, type = "response", newdata = newx,
                         newoffset = NULL, threads = 2, ...) {
  if (type == "coefficients") return(coef(object, s))
  models <- models_at(object, s)
  if (type == "nonzero") return(lapply(models, function(model) model$about$kernels))
  rows <- if (missing(newx) && missing(newdata)) training_rows(object)
          else new_rows(models[[1L]], newdata, newoffset)
  made <- lapply(models, predict_rows, rows, type, threads)
  if (length(made) == 1L) return(made[[1L]])
  if (type == "terms") return(made)
  if (!is.null(dim(made[[1L]]))) return(simplify2array(made))
  if (is.factor(made[[1L]])) made <- lapply(made, as.character)
  matrix(unlist(made), ncol = length(made), dimnames = list(NULL, paste0("s", seq_along(made) - 1)))
}

# ---- coefficients ----

coef.rls2_model <- function(object, ...) {
  if (!object$about$linear || length(object$about$members))
    return(stats::setNames(object$about$weights, object$about$kernels))
  a <- .Call(r_model_coefficients, model_pointer(object))
  a <- turn_of(object) * a
  if (ncol(a) == 1L) a[, 1L] else a
}

coef.cv.rls2 <- function(object, s = NULL, ...) coef(cv_model(object, s))

coef.rls2 <- function(object, s = NULL, ...) {
  made <- lapply(models_at(object, s), coef)
  if (length(made) == 1L) return(made[[1L]])
  if (is.matrix(made[[1L]])) return(simplify2array(made))
  names <- unique(unlist(lapply(made, names)))
  columns <- vapply(made, function(a) {
    b <- stats::setNames(numeric(length(names)), names)
    b[names(a)] <- a
    b
  }, numeric(length(names)))
  matrix(columns, nrow = length(names),
         dimnames = list(names, paste0("s", seq_along(made) - 1L)))
}

# ---- training rows ----

pad <- function(object, values)
  if (is.null(object$na.action)) values else naresid(object$na.action, values)

fitted.cv.rls2 <- function(object, s = NULL, ...) pad(object$fit, predict(object, s = s))
fitted.rls2 <- function(object, s = NULL, ...) pad(object, predict(object, s = s))

observed <- function(object) {
  y <- object$problem$observed
  if (length(y) == 1L) y[[1L]] else do.call(cbind, y)
}

residuals.rls2 <- function(object, s = NULL, ...) {
  if (object$problem$classes) stop("classes have no residuals", call. = FALSE)
  pad(object, observed(object) - predict(object, s = s))
}

residuals.cv.rls2 <- function(object, s = NULL, ...) {
  if (object$fit$problem$classes) stop("classes have no residuals", call. = FALSE)
  pad(object$fit, observed(object$fit) - predict(object, s = s))
}

nobs.rls2 <- function(object, ...) object$nobs
nobs.cv.rls2 <- function(object, ...) object$fit$nobs

# Where the loss is a likelihood; df is the library's, and a variance counts as one more. A row of
# weight 2 counts as two rows.
logLik.cv.rls2 <- function(object, s = NULL, ...)
  likelihood(object$fit, cv_model(object, s), predict(object, s = s))

logLik.rls2 <- function(object, s, ...) {
  if (missing(s) || length(s) != 1L) stop("say at which lambda: s", call. = FALSE)
  likelihood(object, models_at(object, s)[[1L]], predict(object, s = s))
}

likelihood <- function(fit, model, f) {
  if (length(model$about$members))
    stop("a stack has no likelihood: 'plain = TRUE' fits the sparse model alone", call. = FALSE)
  y <- observed(fit)
  df <- model$about$df
  if (model$about$loss == "square" && (fit$problem$classes || !is.null(dim(y))))
    stop("the square loss of classes or several targets is no likelihood", call. = FALSE)
  w <- if (is.null(fit$problem$weights)) rep(1, NROW(y)) else fit$problem$weights
  known <- seq_along(w) %in% fit$rows & !is.na(if (is.null(dim(f))) f else f[, 1L])
  n <- sum(w[known])
  each <- switch(model$about$loss,
    square = {
      df <- df + 1
      rep(-0.5 * (log(2 * pi * sum((w * (y - f)^2)[known]) / n) + 1), length(w))
    },
    logistic = , multinomial = log(f[cbind(seq_along(y), match(y, colnames(f)))]),
    poisson = suppressWarnings(dpois(y, f, log = TRUE)),
    stop("the loss '", model$about$loss, "' is no likelihood", call. = FALSE))
  structure(sum((w * each)[known]), df = df, nobs = n, class = "logLik")
}
