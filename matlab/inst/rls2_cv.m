%RLS2_CV  Cross-validate the path.
%
%   result = rls2_cv (X, Y, ...)
%
%   Arguments are those of rls2_train. result.cv has lambda, cvm (mean score of left-out rows),
%   cvsd (its standard error), nzero, lambda_min, lambda_1se, measure and splits.
%
%   Example:
%     X = randn (60, 3);  Y = 2 * X(:,1) + 0.1 * randn (60, 1);
%     result = rls2_cv (X, Y, 'kernels', 'linear', 'folds', 5);
%     result.cv.lambda_1se
%
%   See also rls2_train, rls2_path, rls2_plot.
function result = rls2_cv (X, Y, varargin)
  result = rls2_fit_ ('cv', X, Y, varargin);
end
