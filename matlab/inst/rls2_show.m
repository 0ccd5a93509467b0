%RLS2_SHOW  Print what a model selected and how certain it is.
%
%   rls2_show (model)
%
%   See also rls2_train, rls2_plot.
function rls2_show (model)
  printf_ = @(varargin) fprintf (1, varargin{:});
  printf_ ('%d kernels selected, learned from %d rows\n', numel (model.kernels), model.rows);
  printf_ ('lambda %.6g, relative duality gap %.2g\n', model.lambda, model.gap);
  if isfield (model, 'score')
    printf_ ('left-out rows: %s %.4g (standard error %.2g)\n', model.measure, model.score, ...
             model.score_error);
  end
  [~, order] = sort (model.weights, 'descend');
  for k = order(:)'
    printf_ ('  %-30s weight %.4f', model.kernels{k}, model.weights(k));
    if isfield (model, 'shares'), printf_ ('  share %6.1f %%', 100 * model.shares(k)); end
    printf_ ('\n');
  end
  if model.members > 0
    printf_ ('a stack: %d more members add to the prediction\n', model.members);
  end
end
