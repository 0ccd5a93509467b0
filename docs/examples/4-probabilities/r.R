library(rls2)

table <- read.csv("data/heart.csv")
new <- (seq_len(nrow(table)) + 1) %% 3 == 0
cv <- cv.rls2(factor(class) ~ ., table[!new, ], family = "binomial",
              kernels = "rbf(0.1|1)@each", plain = TRUE)
p <- predict(cv, table[new, ])
write.csv(format(as.data.frame(p), digits = 17), "predicted.csv", row.names = FALSE, quote = FALSE)
round(head(p, 3), 4)
cat("log loss", format(-mean(log(p[cbind(seq_len(nrow(p)), table$class[new])])), digits = 4), "\n")
