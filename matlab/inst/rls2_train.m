%RLS2_TRAIN  Learn a model: sparse multiple kernel learning with a certificate.
%
%   model = rls2_train (X, Y)
%   model = rls2_train (X, Y, 'setting', value, ...)
%   model = rls2_train (X, Y, options)
%
%   X is a matrix (rows are examples, NaN is a missing cell), a cell array with a column of
%   numbers or of texts in each element, or, in MATLAB, a table. Y is a vector of numbers, a
%   matrix of several targets, or a cell array of class labels. Settings are those of the command
%   'rls2 train', given as name and value or as fields of a struct: rls2_settings lists them.
%   Besides them:
%
%     'names'     names of the columns of X (default x1, x2, ...)
%     'target'    name of Y (default y, or y1, y2, ...)
%     'test'      {Xtest, Ytest}, rows that are not learned from
%     'threads'   at most so many; results are the same for any number
%     'progress'  a function of (stage, done, total), called now and then
%
%   model is a struct: bytes (the model file), lambda, intercept, gap (the relative duality gap:
%   the objective is proved to be within this share of the best), df, kernels, weights, shares,
%   inputs, classes, cv, notes and more. It can be kept by save and load.
%
%   Example:
%     X = randn (60, 3);  Y = sin (2 * X(:,1)) + 0.1 * randn (60, 1);
%     model = rls2_train (X, Y, 'kernels', 'paper', 'rule', '1se');
%     f = rls2_predict (model, X);
%
%   See also rls2_path, rls2_cv, rls2_predict, rls2_plot, rls2_settings.
function model = rls2_train (X, Y, varargin)
  model = rls2_fit_ ('model', X, Y, varargin);
end
