# What cv.rls2 takes beyond the library on the same rows: make bench-r.
#
# The library's time is that of rls2_bench_overhead, a program in C that completes the same plan and
# carries it out. Both take turns; the least of each counts.
library(rls2)

least_ms <- function(f, times) min(vapply(seq_len(times), function(i) {
  gc(FALSE)
  start <- Sys.time()
  f()
  1e3 * as.numeric(Sys.time() - start, units = "secs")
}, 1))

library_ms <- function(file, target, times, words)
  as.numeric(system2("build/rls2_bench_overhead", stdout = TRUE,
                     c(file, target, 4, times, "columns", "all", words)))

measure <- function(name, file, target, times, words = NULL, drop = NULL, rounds = 5, ...) {
  d <- utils::read.csv(file)
  d[drop] <- NULL
  x <- d[names(d) != target]
  y <- d[[target]]
  alone <- whole <- Inf
  for (i in seq_len(rounds)) {
    alone <- min(alone, library_ms(file, target, times, words))
    whole <- min(whole, least_ms(function() cv.rls2(x, y, ...), times))
  }
  cat(sprintf("%-20s %5d rows   library %8.1f ms   cv.rls2 %8.1f ms   beyond %5.1f ms (%.1f %%)\n",
              name, nrow(d), alone, whole, whole - alone, 100 * (whole / alone - 1)))
}

measure("prostate, linear", "data/prostate.csv", "lpsa", 20,
        c("drop", "train", "kernels", "linear"), "train", kernels = "linear")
measure("prostate", "data/prostate.csv", "lpsa", 3, c("drop", "train"), "train")
measure("housing, plain", "data/housing.csv", "MEDV", 2, c("plain", "true"), plain = TRUE)
measure("housing", "data/housing.csv", "MEDV", 1)
