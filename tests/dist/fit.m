% The installed Octave package: fits, predicts, and is held against least squares.
pkg load rls2
randn ('state', 1);
X = randn (60, 3);
Y = 2 * X(:,1) - X(:,2) + 1;
A = [ones(60, 1), X];
m = rls2_train (X, Y, 'kernels', 'linear');
assert (rls2_predict (m, X), A * (A \ Y), 0.1);
p = rls2_path (X, Y, 'kernels', 'paper');
assert (isstruct (p));
where = which ('rls2_train');
printf ('rls2 fits on Octave %s, in %s\n', version (), where);
