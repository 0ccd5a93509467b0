# What the pages of the repository show, where they are there.

blocks_of <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  inside <- FALSE
  shown <- character()
  for (line in lines) {
    if (startsWith(line, "```")) inside <- line == "```r"
    else if (inside) shown <- c(shown, line)
  }
  shown
}

test_that("code on the pages runs as it is written", {
  tree <- Sys.getenv("RLS2_TREE")
  skip_if(tree == "", "RLS2_TREE is not set")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  old <- setwd(tree)
  on.exit(setwd(old), add = TRUE)
  for (page in c("README.md", "docs/R.md")) {
    code <- parse(text = blocks_of(page))
    expect_gt(length(code), 1)
    place <- new.env(parent = globalenv())
    expect_no_error(utils::capture.output(for (line in code) print(eval(line, place))))
  }
})
