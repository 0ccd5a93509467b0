%RLS2_PATH  The whole path of solutions over the values of lambda.
%
%   result = rls2_path (X, Y, ...)
%
%   Arguments are those of rls2_train. result.path has, for each lambda from the largest to the
%   smallest: lambda, objective, gap, df, nzero (selected kernels), iterations; weights (kernels x
%   lambdas) of the kernels named in kernels; where all kernels are linear coefficients (columns x
%   lambdas); fitted, y, and with 'test' predicted and y_test, one column for each lambda (of
%   several outputs those of a lambda side by side). Classes are -1 and +1 there.
%
%   Example:
%     X = randn (60, 3);  Y = 2 * X(:,1) + 0.1 * randn (60, 1);
%     result = rls2_path (X, Y, 'kernels', 'linear');
%     result.path.coefficients(:, end)
%
%   See also rls2_train, rls2_cv, rls2_plot.
function result = rls2_path (X, Y, varargin)
  result = rls2_fit_ ('path', X, Y, varargin);
end
