# The same bits as the command, where it is there.

test_that("cv.rls2 makes the file that 'rls2 train' makes", {
  command <- Sys.getenv("RLS2_COMMAND")
  skip_if(command == "" || !file.exists(command), "RLS2_COMMAND is not set")
  for (options in list(list(kernels = "linear@each"), list(plain = TRUE), list())) {
    data <- tempfile(fileext = ".csv")
    d <- mtcars
    names(d)[1] <- "y"
    utils::write.csv(format(d, digits = 17, trim = TRUE), data, row.names = FALSE, quote = FALSE)
    theirs <- tempfile()
    ours <- tempfile()
    said <- sprintf("--%s=%s", names(options), vapply(options, words_of, "", "option"))
    if (isTRUE(options$plain)) said <- "--plain"
    code <- system2(command, c("train", data, "-t", "y", "--columns=all", "--task=regression",
                               "--quiet", said, "-o", theirs), stdout = FALSE, stderr = FALSE)
    expect_identical(code, 0L)
    cv <- do.call(cv.rls2, c(list(d[-1], d$y), options))
    write_rls2(cv, ours)
    expect_identical(readBin(ours, "raw", 1e8), readBin(theirs, "raw", 1e8))
    expect_identical(predict(read_rls2(theirs), d), predict(cv, d))
  }
})
