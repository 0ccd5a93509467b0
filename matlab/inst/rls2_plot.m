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
%   The default is 'path', 'cv' or 'kernels', the first that the result has. Lambda falls from left
%   to right. The 8 largest curves of a path have a name, the 9 largest effects are drawn; a band
%   holds the effect for most rows.
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
  count = min (numel (order), 8); % the largest have a name
  cla ();
  for k = numel (order):-1:1 % the largest on top
    semilogx (p.lambda, values(order(k), :), 'linewidth', 2, 'color', colour_of (k, count));
    hold on;
  end
  hold off;
  finish (p.lambda, label, 'Path');
  name_curves (values(order(1:count), end), names(order(1:count)));
end

function colour = colour_of (k, named)
  colours = [0 114 178; 213 94 0; 0 158 115; 204 121 167; 230 159 0; 86 180 233; 85 85 85; ...
             140 86 75] / 255;
  colour = [0.75 0.75 0.75];
  if k <= named, colour = colours(mod (k - 1, 8) + 1, :); end
end

% Names beside the right ends of curves, moved apart where they would overlap.
function name_curves (ends, names)
  longest = max ([cellfun(@numel, names(:)'), 1]);
  right = min (0.5, 0.05 + 0.014 * longest);
  set (gca, 'position', [0.12, 0.13, 0.86 - right, 0.77]);
  height = ylim ();
  at = spread_apart ((ends - height(1)) / diff (height), 0.055);
  for k = 1:numel (names)
    text (1.015, at(k), names{k}, 'units', 'normalized', 'interpreter', 'none', ...
          'color', colour_of (k, numel (names)));
  end
end

% The values nearest to y that are at least a gap apart: neighbours that are too near are pooled.
function y = spread_apart (y, gap)
  [z, order] = sort (y(:));
  z = z - gap * (1:numel (z))';
  value = [];  count = [];
  for i = 1:numel (z)
    value(end+1) = z(i);  count(end+1) = 1;
    while numel (value) > 1 && value(end-1) > value(end)
      sums = value(end-1:end) .* count(end-1:end);
      count = [count(1:end-2), sum(count(end-1:end))];
      value = [value(1:end-2), sum(sums) / count(end)];
    end
  end
  pooled = [];
  for i = 1:numel (value), pooled = [pooled; value(i) * ones(count(i), 1)]; end
  y(order) = pooled + gap * (1:numel (z))';
end

function plot_selected (p)
  [x, y] = stairs (p.lambda, p.nzero);
  semilogx (x, y, 'linewidth', 2, 'color', colour_of (1, 1));
  ylim ([0, max(p.nzero) * 1.05 + 0.5]);
  finish (p.lambda, 'selected kernels', 'Selected kernels');
end

function plot_cv (c)
  % bars by hand: errorbar has no logarithmic axis in every version
  x = [c.lambda, c.lambda, nan(size (c.lambda))]';
  y = [c.cvm - c.cvsd, c.cvm + c.cvsd, nan(size (c.cvm))]';
  bars = semilogx (x(:), y(:), '-', 'color', [0.6 0.6 0.6], 'linewidth', 1.5);
  hold on;
  curve = semilogx (c.lambda, c.cvm, 'o-', 'color', colour_of (2, 2), 'linewidth', 2, ...
                    'markersize', 4, 'markerfacecolor', colour_of (2, 2));
  height = ylim ();
  least = semilogx (c.lambda_min * [1 1], height, 'k--', 'linewidth', 1);
  simple = semilogx (c.lambda_1se * [1 1], height, 'k:', 'linewidth', 2);
  ylim (height);
  hold off;
  finish (c.lambda, c.measure, 'Cross-validation');
  place = 'northeast'; % on the side that the end of the curve is not on
  if c.cvm(end) > mean (height), place = 'southeast'; end
  legend ([curve, bars, least, simple], {'left-out rows', 'standard error', 'lambda_min', ...
          'lambda_1se'}, 'location', place, 'interpreter', 'none');
end

function finish (lambda, label, head)
  if min (lambda) < max (lambda), xlim ([min(lambda), max(lambda)]); end
  set (gca, 'xdir', 'reverse');
  xlabel ('lambda');
  ylabel (label);
  title (head);
  light_grid ();
end

function light_grid ()
  grid on;
  set (gca, 'gridcolor', [0.85 0.85 0.85], 'xminorgrid', 'off', 'xminortick', 'off');
end

function plot_kernels (names, model)
  [weights, order] = sort (model.weights, 'ascend');
  order = order(max (1, end - 19):end);  weights = weights(max (1, end - 19):end);
  barh (weights, 'facecolor', colour_of (1, 1), 'edgecolor', 'none');
  % texts instead of tick labels: gnuplot would take the @ of a name for a command
  longest = max ([cellfun(@numel, names(:)'), 1]);
  left = max (0.1, min (0.55, 0.04 + 0.015 * longest));
  set (gca, 'ytick', [], 'position', [left, 0.13, 0.95 - left, 0.77]);
  if ~isempty (weights), xlim ([0, max(weights) * 1.05]); end
  text (-0.02 * max ([weights; 0]) * ones (numel (order), 1), (1:numel (order))', names(order), ...
        'horizontalalignment', 'right', 'interpreter', 'none');
  ylim ([0.4, numel(order) + 0.6]);
  xlabel ('kernel weight');
  title ('Selected kernels');
end

function plot_effects (model)
  effects = {};  names = {};  sizes = [];
  for j = 1:numel (model.inputs)
    e = rls2_mex ('effect', model.bytes, j);
    if isempty (e.effect), continue; end
    effects{end+1} = e;  names{end+1} = model.inputs{j};
    sizes(end+1) = max (e.effect) - min (e.effect);
  end
  if isempty (effects), error ('rls2:badArgument', 'rls2_plot: no input has an effect'); end
  [~, order] = sort (sizes, 'descend');
  order = order(1:min (end, 9));
  all_ = cellfun (@(e) [e.lower(:); e.upper(:); e.effect(:)], effects(order), ...
                  'UniformOutput', false);
  all_ = vertcat (all_{:});
  columns = ceil (sqrt (numel (order)));
  for j = 1:numel (order)
    subplot (ceil (numel (order) / columns), columns, j);
    plot_effect (effects{order(j)});
    if max (all_) > min (all_), ylim ([min(all_), max(all_)]); end
    title (names{order(j)}, 'interpreter', 'none');
    if mod (j, columns) == 1 || columns == 1, ylabel ('effect'); end
  end
end

% A line with the band of most rows, or bars.
function plot_effect (e)
  known = ~isnan (e.values);
  if any (known)
    x = e.values(known);
    fill ([x; flipud(x)], [e.lower(known); flipud(e.upper(known))], [0.86 0.92 0.96], ...
          'edgecolor', 'none');
    hold on;
    plot (x, e.effect(known), '-', 'linewidth', 2, 'color', colour_of (1, 1));
    hold off;
    if max (x) > min (x), xlim ([min(x), max(x)]); end
  else
    bar (e.effect, 'facecolor', [0.61 0.78 0.89], 'edgecolor', 'none');
    set (gca, 'xtick', 1:numel (e.levels), 'xticklabel', e.levels);
  end
  light_grid ();
end

function plot_predicted (model, X, Y)
  if iscell (Y), error ('rls2:badArgument', 'rls2_plot: ''predicted'' is for numbers'); end
  [~, more] = rls2_predict (model, X);
  ends = [min([Y(:); more.f(:)]), max([Y(:); more.f(:)])];
  plot (ends, ends, '-', 'color', [0.6 0.6 0.6]);
  hold on;
  plot (Y(:), more.f(:), 'o', 'markersize', 4, 'color', colour_of (1, 1), ...
        'markerfacecolor', colour_of (1, 1));
  hold off;
  axis ([ends, ends]);
  axis square;
  xlabel ('actual');
  ylabel ('predicted');
  title ('Predicted against actual');
  light_grid ();
end
