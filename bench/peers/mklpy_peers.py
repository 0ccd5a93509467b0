"""MKLpy, two classes: EasyMKL and AverageMKL on the same kernels, their parameter chosen on the
folds.
"""
import numpy as np
import torch
from MKLpy.algorithms import AverageMKL, EasyMKL
from sklearn.svm import SVC

from common import Stopwatch, hand_back, paper_kernels, problem_and_method

CANDIDATES = {
    "EasyMKL": [
        lambda lam=lam: EasyMKL(lam=lam, learner=SVC(C=10)) for lam in (0.0, 0.1, 0.5, 0.9)],
    "AverageMKL": [lambda c=c: AverageMKL(learner=SVC(C=c)) for c in (0.1, 1, 10, 100)], }


def fitted(make, kernels, y, rows):
    return make().fit(kernels[:, rows][:, :, rows], torch.tensor(y[rows]))


def right(make, kernels, y, train, test):
    model = fitted(make, kernels, y, train)
    return np.mean(np.asarray(model.predict(kernels[:, test][:, :, train])) == y[test])


problem, method = problem_and_method()
y, every = problem.y.astype(int), np.arange(len(problem.y))
watch = Stopwatch()
# its parameters expect diagonals near 1
kernels = torch.tensor(paper_kernels(problem.x, problem.x) * len(y))
prepare = watch.lap()
means = [
    np.mean([right(make, kernels, y, *split) for split in problem.splits()])
    for make in CANDIDATES[method]]
model = fitted(CANDIDATES[method][int(np.argmax(means))], kernels, y, every)
seconds = watch.lap()
prediction = model.predict(torch.tensor(paper_kernels(problem.x, problem.x_test) * len(y)))
hand_back(prepare=prepare, seconds=seconds, score=problem.score(np.asarray(prediction)),
          weights=np.asarray(model.solution.weights, dtype=float))
