# Fitting: a plan of the library on the columns.

rls2 <- function(x, ...) UseMethod("rls2")
cv.rls2 <- function(x, ...) UseMethod("cv.rls2")

# The response as columns, and what kind of thing it is.
response_of <- function(y, rows, family) {
  if (inherits(y, "Surv")) stop("survival times cannot be learned from", call. = FALSE)
  if (is.matrix(y) || is.data.frame(y)) {
    columns <- columns_of(y)
    if (is.null(colnames(y))) names(columns) <- paste0("y", seq_along(columns))
  } else {
    columns <- list(y = column_of(y, "y"))
  }
  if (length(columns[[1L]]) != rows)
    stop("x has ", rows, " rows and y has ", length(columns[[1L]]), call. = FALSE)
  asked <- !is.null(family) && family %in% c("binomial", "multinomial")
  if (asked && length(columns) > 1L)
    stop("a matrix of counts is no response here: give one row for each case, with 'weights'",
         call. = FALSE)
  list(columns = columns, classes = asked || !is.numeric(columns[[1L]]),
       levels = if (is.factor(y)) levels(y)[levels(y) %in% y])
}

unused_name <- function(name, taken) {
  while (name %in% taken) name <- paste0(".", name)
  name
}

# What both kinds of fit are made of.
problem <- function(x, y, weights, offset, family, loss, lambda, nlambda, lambda.min.ratio,
                    standardize, intercept, seed, threads, progress, foldid, nfolds, settings) {
  family <- family_word(family)
  inputs <- columns_of(x)
  rows <- length(inputs[[1L]])
  response <- response_of(y, rows, family)
  kind <- family_settings(family, loss)
  weights <- row_numbers(weights, "weights", rows)
  shifted <- without_offset(response, row_numbers(offset, "offset", rows), weights, kind$loss)
  targets <- vapply(names(response$columns), unused_name, "", taken = names(inputs))
  columns <- c(inputs, stats::setNames(shifted$columns, targets))
  weight <- if (!is.null(shifted$weights)) unused_name("(weights)", names(columns))
  if (!is.null(weight)) columns[[weight]] <- shifted$weights
  if (is.null(kind$task)) kind$task <- if (response$classes) "classification" else "regression"
  said <- c(list(target = unname(targets), row_weights = weight), kind,
            list(categorical = factors_of(x), standardize = standardize,
                 columns = if (!("columns" %in% settings$name)) "all",
                 intercept = intercept_word(intercept), lambda_count = nlambda,
                 lambda_ratio = lambda.min.ratio, seed = seed,
                 folds = if (is.null(foldid)) nfolds))
  words <- Map(words_of, said[lengths(said) > 0L], names(said)[lengths(said) > 0L])
  list(columns = columns, inputs = names(inputs), targets = unname(targets),
       names = c(rep(names(words), lengths(words)), settings$name),
       values = c(as.character(unlist(words)), settings$value),
       lambda = if (!is.null(lambda)) as.double(lambda),
       foldid = if (!is.null(foldid)) as.integer(as.factor(foldid)) - 1L,
       threads = as.integer(threads), progress = progress_of(progress), told = isTRUE(progress),
       levels = response$levels, classes = response$classes, observed = response$columns,
       weights = weights, offset = shifted$offset)
}

# A number for each row.
row_numbers <- function(values, name, rows) {
  if (is.null(values)) return(NULL)
  if (!is.numeric(values) || length(values) != rows)
    stop("'", name, "' should be ", rows, " numbers, one for each row", call. = FALSE)
  if (anyNA(values))
    stop("'", name, "' has no value in row ", which(is.na(values))[1L], call. = FALSE)
  as.double(values)
}

# An offset o is added to what is learned, f + o. Losses of a distance see y - o. Poisson's, of the
# rate exp(f + o), is that of y / exp(o) with the rate exp(f) and exp(o) times the weight.
without_offset <- function(response, offset, weights, loss) {
  columns <- response$columns
  if (is.null(offset)) return(list(columns = columns, weights = weights))
  if (response$classes || any(startsWith(as.character(loss), c("logistic", "hinge", "squared"))))
    stop("an offset is for numbers and counts: classes have none here", call. = FALSE)
  if (length(columns) > 1L) stop("an offset is for one response", call. = FALSE)
  if (identical(loss, "poisson")) {
    columns[[1L]] <- columns[[1L]] / exp(offset)
    weights <- exp(offset) * if (is.null(weights)) 1 else weights
  } else {
    columns[[1L]] <- columns[[1L]] - offset
  }
  list(columns = columns, weights = weights, offset = offset)
}

progress_of <- function(progress) {
  if (is.function(progress)) return(progress)
  if (!isTRUE(progress)) return(NULL)
  function(stage, done, total) cat(sprintf("\r%-10s %.0f of %.0f ", stage, done, total),
                                   file = stderr())
}

# A path that is followed again, to other lambdas, leaves no rows out.
run <- function(p, goal, lambda = p$lambda) {
  if (p$told) on.exit(cat("\n", file = stderr()))
  folds <- if (goal == goals$all) p$foldid
  result <- tryCatch(
    .Call(r_fit, p$columns, goal, p$names, p$values, lambda, folds, p$threads, p$progress),
    error = function(e) e)
  if (!inherits(result, "error")) return(result)
  if (conditionMessage(result) != "interrupted") stop(conditionMessage(result), call. = FALSE)
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort")
}

# The call as it was written: of the generic, not of the method.
call_of <- function(call) {
  call[[1L]] <- as.name(sub("\\.(default|formula)$", "", deparse1(call[[1L]])))
  names(call)[names(call) == "x"] <- ""
  call
}

goals <- list(path = 1L, all = 4L)

finish <- function(p, pointer, call) {
  about <- .Call(r_fit_about, pointer)
  object <- about[c("lambda", "objective", "gap", "df", "nzero", "kernels", "linear", "spec",
                    "notes", "weights", "loss", "rows")]
  object$converged <- about$outcome == 0
  object$nobs <- length(about$rows)
  object$problem <- p
  object$offset_in <- if (!is.null(p$offset)) "argument"
  object$call <- call_of(call)
  object$live <- new.env(parent = emptyenv())
  object$live$pointer <- pointer
  structure(object, class = "rls2")
}

rls2.default <- function(x, y, family = NULL, weights = NULL, offset = NULL, lambda = NULL,
                         nlambda = NULL, lambda.min.ratio = NULL, standardize = NULL,
                         intercept = TRUE, loss = NULL, seed = 0, threads = 2, progress = FALSE,
                         ...) {
  p <- problem(x, y, weights, offset, family, loss, lambda, nlambda, lambda.min.ratio, standardize,
               intercept, seed, threads, progress, NULL, NULL, settings_of(...))
  finish(p, run(p, goals$path), match.call())
}

cv.rls2.default <- function(x, y, family = NULL, weights = NULL, offset = NULL, lambda = NULL,
                            nlambda = NULL, lambda.min.ratio = NULL, standardize = NULL,
                            intercept = TRUE, loss = NULL, type.measure = NULL, nfolds = NULL,
                            foldid = NULL, seed = 0, threads = 2, progress = FALSE, ...) {
  p <- problem(x, y, weights, offset, family, loss, lambda, nlambda, lambda.min.ratio, standardize,
               intercept, seed, threads, progress, foldid, nfolds,
               settings_of(..., measure = type.measure))
  pointer <- run(p, goals$all)
  fit <- finish(p, pointer, match.call())
  curve <- .Call(r_fit_curve, pointer)
  chosen <- .Call(r_fit_about, pointer)$chosen
  object <- list(fit = fit, call = call_of(match.call()), lambda.chosen = fit$lambda[chosen])
  if (!is.null(curve))
    object <- c(curve[c("lambda", "cvm", "cvsd", "cvup", "cvlo", "nzero")],
                list(name = curve$measure, rises = curve$rises,
                     lambda.min = curve$lambda[curve$min], lambda.1se = curve$lambda[curve$one_se],
                     index = c(min = curve$min, "1se" = curve$one_se)), object)
  object$model <- model_object(.Call(r_fit_model, pointer, chosen), p)
  structure(object, class = "cv.rls2")
}

# ---- formulas ----

input_names <- function(terms) gsub("^`|`$", "", attr(terms, "term.labels"))

# `call` is that of the method: its weights, subset and offset are looked for in the data.
formula_parts <- function(formula, data, na.action, call, env) {
  given <- as.list(call)[intersect(c("weights", "subset", "offset"), names(call))]
  frame <- eval(as.call(c(list(quote(stats::model.frame), formula = formula, data = data,
                               na.action = na.action, drop.unused.levels = TRUE), given)), env)
  terms <- attr(frame, "terms")
  if (any(attr(terms, "order") > 1L))
    stop("interactions are not written as a:b here: kernels of several columns find them, such as ",
         "kernels = 'rbf(0.1)@all'", call. = FALSE)
  inputs <- input_names(terms)
  if (!length(inputs)) stop("the formula has no inputs", call. = FALSE)
  list(x = frame[inputs], y = model.response(frame), terms = terms,
       weights = model.weights(frame), offset = model.offset(frame),
       offset_given = !is.null(given$offset), na.action = attr(frame, "na.action"),
       intercept = attr(terms, "intercept") == 1L)
}

rls2.formula <- function(x, data, weights, subset, na.action = na.pass, offset, intercept = NULL,
                         ...) {
  parts <- formula_parts(x, if (missing(data)) environment(x) else data, na.action, match.call(),
                         parent.frame())
  object <- rls2.default(parts$x, parts$y, weights = parts$weights, offset = parts$offset,
                         intercept = if (is.null(intercept)) parts$intercept else intercept, ...)
  remember(object, parts, match.call())
}

cv.rls2.formula <- function(x, data, weights, subset, na.action = na.pass, offset,
                            intercept = NULL, ...) {
  parts <- formula_parts(x, if (missing(data)) environment(x) else data, na.action, match.call(),
                         parent.frame())
  object <- cv.rls2.default(parts$x, parts$y, weights = parts$weights, offset = parts$offset,
                            intercept = if (is.null(intercept)) parts$intercept else intercept, ...)
  object$fit <- remember(object$fit, parts, match.call())
  object$model[c("terms", "offset_in")] <- object$fit[c("terms", "offset_in")]
  object$call <- call_of(match.call())
  object
}

remember <- function(object, parts, call) {
  object$terms <- parts$terms
  if (!is.null(parts$offset) && !parts$offset_given) object$offset_in <- "formula"
  object$na.action <- parts$na.action
  object$call <- call_of(call)
  object
}
