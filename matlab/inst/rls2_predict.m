%RLS2_PREDICT  Predict new rows.
%
%   f = rls2_predict (model, X)
%   [f, more] = rls2_predict (model, X)
%
%   f is a number for each row and target, or a cell array of class labels. more has the field f
%   (of classes the values that decide), and where the model knows them labels, probabilities
%   (loss logistic), lower and upper (setting interval). Rows with missing cells are treated as the
%   training rows were; one that had to be left out is NaN, or '' of classes. X has the columns of
%   the training rows; a MATLAB table may have them in any order.
%
%   Example:
%     X = randn (60, 3);  Y = 2 * X(:,1) + 0.1 * randn (60, 1);
%     f = rls2_predict (rls2_train (X, Y, 'kernels', 'linear'), X);
%
%   See also rls2_train.
function [f, more] = rls2_predict (model, X)
  [columns, names] = rls2_columns_ (X, model.input_names, 'x');
  more = rls2_mex ('predict', model.bytes, columns, names);
  if isfield (more, 'labels')
    f = more.labels;
  else
    f = more.f;
  end
end
