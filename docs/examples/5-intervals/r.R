library(rls2)

table <- read.csv("data/housing.csv")
new <- (seq_len(nrow(table)) + 1) %% 4 == 0
cv <- cv.rls2(MEDV ~ ., table[!new, ], interval = 0.9)
ends <- predict(cv, table[new, ], type = "interval")
y <- table$MEDV[new]
head(cbind(predicted = predict(cv, table[new, ]), ends), 3)
cat(sprintf("%.0f %% of the %d new rows fall into their intervals\n",
            100 * mean(ends[, "lower"] <= y & y <= ends[, "upper"]), length(y)))
