# Arguments of R as settings of the library, which has the table of them.

rls2_settings <- function() {
  all <- .Call(r_settings)
  scopes <- c("reading", "data", "testing", "fitting", "lambda", "splits", "choice")
  made <- data.frame(name = gsub("-", "_", all$name), scope = scopes[all$scope + 1L],
                     default = all$default, sentence = all$sentence)
  made <- made[made$scope != "reading" & !(made$name %in% names(elsewhere)), ]
  rownames(made) <- NULL
  made
}

# What R says in another way.
elsewhere <- c(target = "y or the formula", row_weights = "'weights'", fold_column = "'foldid'",
               test_rows = "a subset of the rows", test_share = "a subset of the rows",
               shuffle = "a subset of the rows", validation_rows = "'foldid'",
               transductive = "nothing", transductive_features = "nothing",
               lambdas = "'lambda'", lambda_count = "'nlambda'",
               lambda_ratio = "'lambda.min.ratio'", folds = "'nfolds'", task = "'family'")

words_of <- function(value, name) {
  if (is.logical(value)) return(ifelse(value, "true", "false"))
  if (is.numeric(value)) return(sprintf("%.17g", value))
  if (is.character(value)) return(enc2utf8(value))
  stop("'", name, "' should be a text, a number or TRUE or FALSE", call. = FALSE)
}

# list(name =, value =) of what stands in ...
settings_of <- function(...) {
  given <- list(...)
  given <- given[!vapply(given, is.null, NA)]
  names <- gsub("[.-]", "_", names(given))
  if (length(given) && (length(names) == 0L || any(names == "")))
    stop("settings in '...' need names; rls2_settings() lists them", call. = FALSE)
  if (any(found <- names %in% names(elsewhere)))
    stop("'", names[found][1L], "' is said by ", elsewhere[[names[found][1L]]], " in R",
         call. = FALSE)
  words <- Map(words_of, given, names)
  list(name = rep(names, lengths(words)), value = as.character(unlist(words)))
}

intercept_word <- function(intercept) {
  if (!is.logical(intercept)) return(intercept)
  if (intercept) "auto" else "none"
}

# glmnet's families by the losses of the library.
family_settings <- function(family, loss) {
  if (is.null(family)) return(list(loss = loss))
  if (!is.null(loss)) stop("give 'family' or 'loss', not both", call. = FALSE)
  switch(family,
    gaussian = list(task = "regression", loss = "square"),
    binomial = list(task = "classification", loss = "logistic"),
    multinomial = list(task = "classification", loss = "logistic", outputs = "shared"),
    poisson = list(task = "regression", loss = "poisson"),
    mgaussian = list(task = "regression", loss = "square", outputs = "shared"),
    stop("there is no family '", family, "': gaussian, binomial, multinomial, poisson and ",
         "mgaussian are there, and 'loss' has others", call. = FALSE))
}

# The word of a family of R, whose link must be the one that its loss has.
family_word <- function(family) {
  if (is.function(family)) family <- family()
  if (!inherits(family, "family")) return(family)
  link <- c(gaussian = "identity", binomial = "logit", poisson = "log")[family$family]
  if (!is.na(link) && family$link != link)
    stop("the family '", family$family, "' has the link '", link, "' here, not '", family$link,
         "'", call. = FALSE)
  family$family
}
