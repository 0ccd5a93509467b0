%RLS2_VERIFY  Recompute the certificate of a model from its training rows.
%
%   certificate = rls2_verify (model, X, Y)
%
%   primal and dual enclose the least objective there is; gap is their distance relative to it;
%   same_rows is true where X and Y are the rows the model was learned from. For models of one
%   output.
%
%   Example:
%     X = randn (60, 3);  Y = 2 * X(:,1) + 0.1 * randn (60, 1);
%     certificate = rls2_verify (rls2_train (X, Y, 'kernels', 'linear'), X, Y);
%
%   See also rls2_train.
function certificate = rls2_verify (model, X, Y)
  [columns, names] = rls2_columns_ (X, model.input_names, 'x');
  [targets, target_names] = rls2_columns_ (Y, {model.target}, 'y');
  certificate = rls2_mex ('verify', model.bytes, columns, names, targets, target_names);
end
