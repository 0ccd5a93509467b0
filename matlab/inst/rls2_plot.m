%RLS2_PLOT  Figures of a model, a path or a curve.
%
%   rls2_plot (result)
%   rls2_plot (result, kind)
%   rls2_plot (result, kind, X, Y)
%
%   kind is one of
%     'path'          coefficients, or kernel weights, against lambda (rls2_path)
%     'selected'      number of selected kernels against lambda (rls2_path)
%     'cv'            score of left-out rows, with standard errors (rls2_cv, rls2_train)
%     'kernels'       weights of the selected kernels (rls2_train, rls2_load)
%     'effects'       what each input does to the prediction (rls2_train, rls2_load)
%     'predicted'     predictions against Y (rls2_train with X and Y)
%   The default is 'path', 'cv' or 'kernels', the first that the result has. Dotted lines in the
%   curve are lambda_min and lambda_1se.
%
%   Example:
%     X = randn (60, 3);  Y = 2 * X(:,1) + 0.1 * randn (60, 1);
%     rls2_plot (rls2_path (X, Y, 'kernels', 'linear'))
%
%   See also rls2_train, rls2_path, rls2_cv.
function rls2_plot (result, kind, X, Y)
  if nargin < 2, kind = default_kind (result); end
  switch kind
    case 'path', plot_path (need (result, 'path', kind));
    case 'selected', plot_selected (need (result, 'path', kind));
    case 'cv', plot_cv (need (result, 'cv', kind));
    case 'kernels', plot_kernels (need (result, 'kernels', kind), result);
    case 'effects', need (result, 'bytes', kind); plot_effects (result);
    case 'predicted'
      if nargin < 4, error ('rls2:badArgument', 'rls2_plot: ''predicted'' needs X and Y'); end
      plot_predicted (result, X, Y);
    otherwise, error ('rls2:badArgument', 'rls2_plot: there is no figure ''%s''', kind);
  end
end

function kind = default_kind (result)
  kind = 'kernels';
  if isfield (result, 'cv'), kind = 'cv'; end
  if isfield (result, 'path'), kind = 'path'; end
end

function value = need (result, field, kind)
  if ~isfield (result, field)
    error ('rls2:badArgument', 'rls2_plot: this result has nothing for ''%s''', kind);
  end
  value = result.(field);
end

function plot_path (p)
  values = p.weights(:, :, 1);  names = p.kernels;  label = 'kernel weight';
  if isfield (p, 'coefficients')
    values = p.coefficients;  names = p.columns;  label = 'coefficient';
  end
  [size_, order] = sort (max (abs (values), [], 2), 'descend');
  order = order(size_ > 0);
  semilogx (p.lambda, values(order, :)', 'linewidth', 1.5);
  few = order(1:min (end, 8)); % the largest have a name
  legend (names(few), 'location', 'northeastoutside', 'interpreter', 'none');
  finish (p.lambda, label, 'Path');
end

function plot_selected (p)
  semilogx (p.lambda, p.nzero, 'o-', 'linewidth', 1.5);
  finish (p.lambda, 'selected kernels', 'Selected kernels');
end

function plot_cv (c)
  % bars by hand: errorbar has no logarithmic axis in every version
  x = [c.lambda, c.lambda, nan(size (c.lambda))]';
  y = [c.cvm - c.cvsd, c.cvm + c.cvsd, nan(size (c.cvm))]';
  semilogx (x(:), y(:), '-', 'color', [0.6 0.6 0.6], c.lambda, c.cvm, 'o-', 'linewidth', 1.5);
  hold on;
  height = ylim ();
  semilogx (c.lambda_min * [1 1], height, 'k:', c.lambda_1se * [1 1], height, 'k:');
  ylim (height);
  hold off;
  finish (c.lambda, c.measure, 'Cross-validation');
end

function finish (lambda, label, head)
  if min (lambda) < max (lambda), xlim ([min(lambda), max(lambda)]); end
  xlabel ('lambda');
  ylabel (label);
  title (head);
  grid on;
  set (gca, 'gridcolor', [0.8 0.8 0.8]);
end

function plot_kernels (names, model)
  [weights, order] = sort (model.weights, 'ascend');
  order = order(max (1, end - 19):end);  weights = weights(max (1, end - 19):end);
  barh (weights);
  % texts instead of tick labels: gnuplot would take the @ of a name for a command
  set (gca, 'ytick', [], 'position', [0.35 0.12 0.6 0.78]);
  xlim ([0, max(weights) * 1.05]);
  text (-0.02 * max (weights) * ones (numel (order), 1), (1:numel (order))', names(order), ...
        'horizontalalignment', 'right', 'interpreter', 'none');
  ylim ([0.4, numel(order) + 0.6]);
  xlabel ('kernel weight');
  title ('Selected kernels');
end

function plot_effects (model)
  effects = {};  names = {};
  for j = 1:numel (model.inputs)
    e = rls2_mex ('effect', model.bytes, j);
    if ~isempty (e.effect), effects{end+1} = e;  names{end+1} = model.inputs{j}; end
  end
  count = numel (effects);
  columns = ceil (sqrt (count));
  for j = 1:count
    subplot (ceil (count / columns), columns, j);
    plot_effect (effects{j});
    title (names{j}, 'interpreter', 'none');
  end
end

function plot_effect (e)
  known = ~isnan (e.values);
  if any (known)
    plot (e.values(known), e.effect(known), '.-', 'linewidth', 1.5);
    axis tight;
  else
    bar (e.effect);
    set (gca, 'xtick', 1:numel (e.levels), 'xticklabel', e.levels);
  end
  grid on;
end

function plot_predicted (model, X, Y)
  if iscell (Y), error ('rls2:badArgument', 'rls2_plot: ''predicted'' is for numbers'); end
  [~, more] = rls2_predict (model, X);
  ends = [min([Y(:); more.f(:)]), max([Y(:); more.f(:)])];
  plot (Y(:), more.f(:), 'o', ends, ends, 'k-');
  axis ([ends, ends]);
  axis square;
  xlabel ('actual');
  ylabel ('predicted');
  title ('Predicted against actual');
  grid on;
end
