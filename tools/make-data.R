# Rscript make-data.R ROOT OUT
#
# Reads the data files of the Debian packages unpacked under ROOT and writes OUT/*.csv.
# Called by make-data.sh; base R only.
#
# Every table is turned into strings before it is written, so that the spelling of a number
# is decided here (decimals as in the file first published) and not by R's default.

args <- commandArgs(trailingOnly = TRUE)
if (length(args) != 2) stop("usage: Rscript make-data.R ROOT OUT")
root <- args[1]
out <- args[2]

rlib <- function(...) file.path(root, "usr/lib/R/site-library", ...)
pylib <- function(...) file.path(root, "usr/lib/python3/dist-packages", ...)

fixed <- function(x, decimals) ifelse(is.na(x), "", sprintf(paste0("%.", decimals, "f"), x))
shortest <- function(x) ifelse(is.na(x), "", format_each(x))
format_each <- function(x) vapply(x, function(v) format(v, digits = 15), "")

# The only object `name` of an .rda file.
rda <- function(path, name) {
    e <- new.env()
    load(path, envir = e)
    get(name, envir = e)
}

# A gzipped text table, all fields as they are spelled.
text_table <- function(path) {
    read.table(gzfile(path), header = TRUE, colClasses = "character")
}

write_table <- function(d, name, rows, header) {
    header <- strsplit(header, ",", fixed = TRUE)[[1]]
    stopifnot(nrow(d) == rows, ncol(d) == length(header))
    d[] <- lapply(d, as.character)
    stopifnot(!anyNA(d), !grepl("[\",\n\r]", unlist(d)))
    con <- file(file.path(out, paste0(name, ".csv")), "wb")
    writeLines(c(paste(header, collapse = ","), do.call(paste, c(unname(d), sep = ","))), con)
    close(con)
    cat(sprintf("%s.csv: %d x %d\n", name, nrow(d), ncol(d)))
}

numbered <- function(n) paste0("V", seq_len(n), collapse = ",")

# Housing: a text file whose first line holds the counts.
d <- read.csv(pylib("sklearn/datasets/data/boston_house_prices.csv"), skip = 1)
decimals <- c(5, 2, 3, 0, 4, 4, 2, 4, 0, 1, 2, 2, 2, 2)
stopifnot(ncol(d) == length(decimals))
d[] <- Map(function(x, k) {
    stopifnot(abs(x - round(x, k)) <= 1e-12 * abs(x)) # the spelling loses no digit
    fixed(x, k)
}, d, decimals)
write_table(d, "housing", 506, "CRIM,ZN,INDUS,CHAS,NOX,RM,AGE,DIS,RAD,TAX,PTRATIO,B,LSTAT,MEDV")

# Pima: the file diabetes of ddalpha; its file pima holds another table.
d <- text_table(rlib("ddalpha/data/diabetes.txt.gz"))
stopifnot(table(d[[9]])[c("0", "1")] == c(500, 268))
write_table(d, "pima", 768, "pregnant,glucose,pressure,triceps,insulin,mass,pedigree,age,diabetes")

# Liver.
d <- text_table(rlib("ddalpha/data/bupa.txt.gz"))
stopifnot(table(d[[7]])[c("1", "2")] == c(145, 200))
write_table(d, "liver", 345, "mcv,alkphos,sgpt,sgot,gammagt,drinks,selector")

# Heart.
d <- text_table(rlib("ddalpha/data/heart.txt.gz"))
stopifnot(table(d[[14]])[c("1", "2")] == c(150, 120))
d[1:13] <- lapply(d[1:13], function(x) fixed(as.numeric(x), 1))
write_table(d, "heart", 270, paste0(
    "age,sex,chest_pain,resting_bp,cholesterol,fasting_blood_sugar,resting_ecg,",
    "max_heart_rate,exercise_angina,oldpeak,slope,major_vessels,thal,class"))

# Ionosphere: ARFF, the rows after @data.
lines <- readLines(file.path(root, "usr/share/doc/weka/examples/ionosphere.arff"))
lines <- lines[-seq_len(grep("^@data", lines, ignore.case = TRUE)[1])]
lines <- lines[!grepl("^(%.*|[[:space:]]*)$", lines)]
d <- as.data.frame(do.call(rbind, strsplit(lines, ",", fixed = TRUE)))
stopifnot(table(d[[35]])[c("b", "g")] == c(126, 225))
write_table(d, "ionosphere", 351, paste0(numbered(34), ",class"))

# Sonar.
d <- rda(rlib("mlbench/data/Sonar.rda"), "Sonar")
d[1:60] <- lapply(d[1:60], fixed, 4)
stopifnot(table(d[[61]])[c("M", "R")] == c(111, 97))
write_table(d, "sonar", 208, paste0(numbered(60), ",class"))

# Servo: Class is the rank of the rise time among its distinct values, listed here.
rise_time <- c(
    "0.13124992", "0.20625044", "0.2437507", "0.28125095", "0.31875122", "0.35625148",
    "0.39375174", "0.431252", "0.46875226", "0.5000003", "0.5062525", "0.5437528",
    "0.58125305", "0.6187533", "0.6562536", "0.69375384", "0.7000007", "0.7312541",
    "0.76875436", "0.8062546", "0.8437549", "0.88125515", "0.9000011", "0.9187554",
    "0.9562557", "0.99375594", "1.0312537", "1.068751", "1.1", "1.1062483", "1.1437455",
    "1.1812428", "1.2187401", "1.2999974", "1.4999949", "1.6999923", "1.8999897", "2.499982",
    "2.6999795", "3.6999667", "3.899964", "4.0999675", "4.299977", "4.499986", "4.6999955",
    "5.100014", "5.3000236", "5.500033", "5.7000422", "6.9000983", "7.1001077")
d <- rda(rlib("mlbench/data/Servo.rda"), "Servo")
stopifnot(length(rise_time) == 51, sort(unique(d$Class)) == 1:51)
d$Class <- rise_time[d$Class]
write_table(d, "servo", 167, "motor,screw,pgain,vgain,rise_time")

# Cpu: the row name is VENDOR-MODEL; two vendors have a hyphen of their own.
d <- rda(rlib("rrcov/data/machines.rda"), "machines")
pattern <- "^(four-phase|perkin-elmer|[^-]+)-(.*)$"
stopifnot(grepl(pattern, rownames(d)))
d <- data.frame(vendor = sub(pattern, "\\1", rownames(d)),
                model = sub(pattern, "\\2", rownames(d)), d)
stopifnot(length(unique(d$vendor)) == 30)
write_table(d, "cpu", 209, "vendor,model,MYCT,MMIN,MMAX,CACH,CHMIN,CHMAX,PRP,ERP")

# Auto-mpg: JSON with one member per line. The 8 cars of unknown consumption are left out.
# The source has no year 1981: the first 29 of the 60 cars it dates 1982 are of 1981.
lines <- readLines(pylib("vega_datasets/_data/cars.json"))
member <- function(key) {
    pattern <- paste0("^[[:space:]]*\"", key, "\":[[:space:]]*\"?(.*?)\"?,?[[:space:]]*$")
    x <- sub(pattern, "\\1", grep(pattern, lines, value = TRUE, perl = TRUE), perl = TRUE)
    stopifnot(length(x) == 406)
    x[x == "null"] <- NA
    x
}
number <- function(key) as.numeric(member(key))
fourdigits <- function(x) ifelse(is.na(x), "", sprintf("%#.4g", x))
year <- as.integer(substr(member("Year"), 3, 4))
mpg <- number("Miles_per_Gallon")
known <- !is.na(mpg)
last <- which(known & year == 82)
stopifnot(length(last) == 60, !any(year == 81))
year[last[1:29]] <- 81L
d <- data.frame(
    fixed(mpg, 1), number("Cylinders"), fourdigits(number("Displacement")),
    fourdigits(number("Horsepower")), number("Weight_in_lbs"), fixed(number("Acceleration"), 1),
    year, match(member("Origin"), c("USA", "Europe", "Japan")), member("Name"))[known, ]
stopifnot(sum(d[[4]] == "") == 6)
write_table(d, "auto-mpg", 398, paste0(
    "mpg,cylinders,displacement,horsepower,weight,acceleration,model_year,origin,car_name"))

# Prostate: lweight of row 32 is corrected as on the web site of The Elements of Statistical
# Learning, and the split into training and test rows is the one given there.
test_rows <- c(7, 9, 10, 15, 22, 25, 26, 28, 32, 34, 36, 42, 44, 48, 49, 50, 53, 54, 55, 57,
               62, 64, 65, 66, 73, 74, 80, 84, 95, 97)
d <- rda(rlib("lasso2/data/Prostate.rda"), "Prostate")
stopifnot(abs(d$lweight[32] - 6.10758) < 1e-5)
d$lweight[32] <- 3.804438
d[] <- Map(fixed, d, c(9, 6, 0, 8, 0, 8, 0, 0, 7))
d$train <- ifelse(seq_len(nrow(d)) %in% test_rows, "F", "T")
write_table(d, "prostate", 97, "lcavol,lweight,age,lbph,svi,lcp,gleason,pgg45,lpsa,train")

# Wpbc: an R lazy-load data base.
e <- new.env()
invisible(lazyLoad(rlib("TH.data/data/Rdata"), e, function(n) n == "wpbc"))
d <- e$wpbc
stopifnot(table(d$status)[c("N", "R")] == c(151, 47), sum(is.na(d$pnodes)) == 4)
d[-1] <- lapply(d[-1], shortest)
features <- c("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity",
              "concave_points", "symmetry", "fractal_dimension")
write_table(d, "wpbc", 198, paste(c(
    "outcome", "time", paste0("mean_", features), paste0("se_", features),
    paste0("worst_", features), "tumor_size", "lymph_nodes"), collapse = ","))
