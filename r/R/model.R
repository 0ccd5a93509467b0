# Models: one lambda of a path, kept as the bytes of a model file so that saveRDS keeps them too.

model_object <- function(pointer, p = NULL) {
  live <- new.env(parent = emptyenv())
  live$pointer <- pointer
  structure(list(bytes = .Call(r_model_pack, pointer), live = live, levels = p$levels,
                 about = .Call(r_model_about, pointer)), class = "rls2_model")
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
    made$terms <- object$terms
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

new_columns <- function(model, newdata) {
  if (!is.null(model$terms))
    newdata <- model.frame(delete.response(model$terms), newdata, na.action = na.pass)
  columns <- columns_of(newdata)
  if (is.null(colnames(newdata)) && length(columns) == length(model$about$inputs))
    names(columns) <- model$about$inputs
  columns
}

has_probabilities <- function(model) model$about$loss %in% c("logistic", "multinomial")

# Classes in the order of the factor that was learned from.
levels_of <- function(model) if (is.null(model$levels)) model$about$classes else model$levels

ask <- function(model, columns, what, threads)
  .Call(r_model_predict, model_pointer(model), columns, what, -1L, as.integer(threads))

predict_numbers <- function(model, columns, type, threads) {
  if (type %in% c("class", "probability"))
    stop("type '", type, "' is for classes; the response is a number", call. = FALSE)
  made <- ask(model, columns, type, threads)
  if (type == "interval") {
    each <- ncol(made) / 2L
    names <- paste0(rep(c("lower", "upper"), each = each), if (each > 1L) seq_len(each))
    return(structure(made, dimnames = list(NULL, names)))
  }
  if (ncol(made) == 1L) as.vector(made) else
    structure(made, dimnames = list(NULL, model$about$outputs))
}

predict_classes <- function(model, columns, type, threads) {
  classes <- model$about$classes
  levels <- levels_of(model)
  if (type == "interval") stop("intervals are for numbers, not classes", call. = FALSE)
  if (type == "response") type <- if (has_probabilities(model)) "probability" else "class"
  if (type == "probability") {
    p <- ask(model, columns, "probability", threads)
    return(structure(p, dimnames = list(NULL, classes))[, levels, drop = FALSE])
  }
  f <- ask(model, columns, "link", threads)
  if (type == "class") {
    k <- if (ncol(f) == 1L) 1L + (f[, 1L] >= 0)
         else apply(f, 1L, function(r) if (anyNA(r)) NA_integer_ else which.max(r))
    return(factor(classes[k], levels = levels))
  }
  if (ncol(f) > 1L) return(structure(f, dimnames = list(NULL, classes))[, levels, drop = FALSE])
  as.vector(f) * if (levels[2L] == classes[2L]) 1 else -1
}

predict_columns <- function(model, columns, type, threads = 2L) {
  type <- match.arg(type, c("response", "link", "class", "probability", "interval"))
  if (length(model$about$classes)) predict_classes(model, columns, type, threads)
  else predict_numbers(model, columns, type, threads)
}

predict.rls2_model <- function(object, newx, type = "response", newdata = newx, threads = 2, ...)
  predict_columns(object, new_columns(object, newdata), type, threads)

predict.cv.rls2 <- function(object, newx, s = NULL, type = "response", newdata = newx, threads = 2,
                            ...) {
  model <- cv_model(object, s)
  if (type == "coefficients") return(coef(model))
  if (type == "nonzero") return(model$about$kernels)
  columns <- if (missing(newx) && missing(newdata)) training_columns(object$fit)
             else new_columns(model, newdata)
  predict_columns(model, columns, type, threads)
}

predict.rls2 <- function(object, newx, s = NULL, type = "response", newdata = newx, threads = 2,
                         ...) {
  if (type == "coefficients") return(coef(object, s))
  models <- models_at(object, s)
  if (type == "nonzero") return(lapply(models, function(model) model$about$kernels))
  columns <- if (missing(newx) && missing(newdata)) training_columns(object)
             else new_columns(models[[1L]], newdata)
  made <- lapply(models, predict_columns, columns, type, threads)
  if (length(made) == 1L) return(made[[1L]])
  if (!is.null(dim(made[[1L]]))) return(simplify2array(made))
  if (is.factor(made[[1L]])) made <- lapply(made, as.character)
  matrix(unlist(made), ncol = length(made), dimnames = list(NULL, paste0("s", seq_along(made) - 1)))
}

training_columns <- function(object) object$problem$columns[object$problem$inputs]

# ---- coefficients ----

coef.rls2_model <- function(object, ...) {
  if (!object$about$linear || length(object$about$members))
    return(stats::setNames(object$about$weights, object$about$kernels))
  a <- .Call(r_model_coefficients, model_pointer(object))
  if (length(object$about$classes) == 2L && levels_of(object)[2L] != object$about$classes[2L])
    a <- -a
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
  y <- object$problem$columns[object$problem$targets]
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

# Where the loss is a likelihood; df is the library's, and a variance counts as one more.
logLik.cv.rls2 <- function(object, s = NULL, ...) {
  model <- cv_model(object, s)
  y <- observed(object$fit)
  f <- predict(object, s = s)
  df <- model$about$df
  if (length(model$about$members))
    stop("a stack has no likelihood: 'plain = TRUE' fits the sparse model alone", call. = FALSE)
  if (model$about$loss == "square" && (object$fit$problem$classes || !is.null(dim(y))))
    stop("the square loss of classes or several targets is no likelihood", call. = FALSE)
  value <- switch(model$about$loss,
    square = {
      r <- (y - f)[!is.na(y - f)]
      df <- df + 1
      -length(r) / 2 * (log(2 * pi * mean(r^2)) + 1)
    },
    logistic = , multinomial = sum(log(f[cbind(seq_along(y), match(y, colnames(f)))]),
                                   na.rm = TRUE),
    poisson = sum(dpois(y, f, log = TRUE), na.rm = TRUE),
    stop("the loss '", model$about$loss, "' is no likelihood", call. = FALSE))
  structure(value, df = df, nobs = object$fit$nobs, class = "logLik")
}
