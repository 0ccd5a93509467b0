# Rows of R as columns of a table: numbers as doubles, everything else as texts.

column_of <- function(x, name) {
  if (!is.null(dim(x)) && length(dim(x)) == 2L && ncol(x) != 1L)
    stop("column '", name, "' is a matrix; give its columns one by one", call. = FALSE)
  if (inherits(x, "Date")) return(format(x, "%Y-%m-%d"))
  if (inherits(x, "POSIXt")) return(format(x, "%Y-%m-%d %H:%M:%S"))
  if (is.factor(x) || is.character(x) || is.logical(x)) return(as.character(x))
  if (is.numeric(x)) return(as.double(x))
  stop("column '", name, "' is of class '", class(x)[1L], "'; numbers, factors, texts, logicals ",
       "and dates can be learned from", call. = FALSE)
}

# A named list of columns of a matrix or a data frame.
columns_of <- function(x) {
  if (is.list(x)) {
    x <- as.list(x)
  } else {
    if (is.null(dim(x))) x <- matrix(x, ncol = 1L)
    x <- as.matrix(x)
    names <- colnames(x)
    if (is.null(names)) names <- paste0("x", seq_len(ncol(x)))
    x <- stats::setNames(lapply(seq_len(ncol(x)), function(j) unname(x[, j])), names)
  }
  stats::setNames(Map(column_of, x, names(x)), names(x))
}

# Factors are categories whatever their levels look like.
factors_of <- function(x) if (is.data.frame(x)) names(x)[vapply(x, is.factor, NA)] else character()
