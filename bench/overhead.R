# What cv.rls2 takes beyond the library's own work on the same columns: make bench-r.
#
# The library's time is that of one .Call, which completes and carries out the plan; the rest is R:
# columns, settings, lists, and the bytes of the chosen model.
library(rls2)
inside <- asNamespace("rls2")

median_time <- function(f, times) stats::median(vapply(seq_len(times), function(i) {
  gc(FALSE)
  start <- proc.time()[["elapsed"]]
  f()
  proc.time()[["elapsed"]] - start
}, 1))

measure <- function(name, file, target, times) {
  d <- utils::read.csv(file)
  x <- d[names(d) != target]
  y <- d[[target]]
  p <- inside$problem(x, y, NULL, NULL, NULL, NULL, NULL, NULL, NULL, TRUE, 0, 2, FALSE, NULL, NULL,
                      inside$settings_of())
  library_time <- median_time(function() inside$run(p, inside$goals$all), times)
  whole <- median_time(function() cv.rls2(x, y), times)
  cat(sprintf("%-10s %5d rows   library %7.1f ms   cv.rls2 %7.1f ms   beyond %6.1f ms (%.1f %%)\n",
              name, nrow(d), 1e3 * library_time, 1e3 * whole, 1e3 * (whole - library_time),
              100 * (whole / library_time - 1)))
}

measure("prostate", "data/prostate.csv", "lpsa", 15)
measure("housing", "data/housing.csv", "MEDV", 3)
