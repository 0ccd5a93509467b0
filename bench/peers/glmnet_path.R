# glmnet on a problem that rls2_bench_linear left: FOLDER ROUNDS THRESH..., once for each thresh and
# for each way to hand it the matrix. Leaves METHOD.coefficients and METHOD.time beside it and
# prints the methods' names, one on a line.
#
# Linear RLS2 at lambda is the Lasso 1/2 |y - Xa|^2 + t sum_k w_k |a_k|, w_k = 1 / sqrt s_k. glmnet
# divides the first term by n and makes its penalty factors sum to the number of columns: its lambda
# is t / n times the mean of the weights.
suppressMessages({ library(Matrix); library(glmnet) })
argument <- commandArgs(trailingOnly = TRUE)
folder <- argument[1]
rounds <- as.integer(argument[2])
numbers <- function(name, count, what = "double") readBin(file.path(folder, name), what, count)

shape <- numbers("shape", 4)
n <- shape[1]
m <- shape[2]
y <- numbers("y", n)
weights <- numbers("weights", m)
lambda <- numbers("penalties", 100) / n * mean(weights)

if (shape[3] == 1) {
    starts <- numbers("starts", m + 1, "integer")
    sparse <- new("dgCMatrix", Dim = as.integer(c(n, m)), p = starts,
                  i = numbers("rows", starts[m + 1], "integer"),
                  x = numbers("values", starts[m + 1]))
    matrices <- list("glmnet-sparse" = sparse, "glmnet-dense" = as.matrix(sparse))
} else {
    matrices <- list("glmnet-dense" = matrix(numbers("x", n * m), n, m))
}

for (name in names(matrices)) for (thresh in argument[-(1:2)]) {
    best <- c(Inf, Inf)
    for (round in seq_len(rounds)) {
        took <- system.time(
            model <- glmnet(matrices[[name]], y, lambda = lambda, penalty.factor = weights,
                            standardize = FALSE, intercept = FALSE, thresh = as.numeric(thresh),
                            maxit = 1e8))
        best <- pmin(best, c(took[["user.self"]] + took[["sys.self"]], took[["elapsed"]]))
    }
    if (length(model$lambda) != length(lambda))
        stop(name, " stopped after ", length(model$lambda), " penalties")
    method <- sprintf("%s-%s", name, thresh)
    file <- file(file.path(folder, paste0(method, ".coefficients")), "wb")
    writeBin(diff(model$beta@p), file)
    writeBin(model$beta@i, file)
    writeBin(model$beta@x, file)
    close(file)
    cat(0, 0, best, "\n", file = file.path(folder, paste0(method, ".time")))
    cat(method, "\n", sep = "")
}
