% Columns as the gateway takes them: a matrix of doubles, or a cell array of columns; and names.
function [columns, names] = rls2_columns_ (X, names, stem)
  if ischar (names) && ~isempty (names), names = {names}; end
  if exist ('istable') && istable (X)
    columns = cell (1, width (X));
    for j = 1:width (X), columns{j} = column_of (X{:, j}); end
    names = X.Properties.VariableNames;
    return;
  end
  if iscell (X) && ~isempty (X) && all (cellfun (@ischar, X(:))) && size (X, 2) == 1
    columns = {X};
  elseif iscell (X)
    columns = cellfun (@column_of, X(:)', 'UniformOutput', false);
  elseif isnumeric (X) || islogical (X)
    columns = double (full (X));
    if strcmp (stem, 'y') && size (columns, 1) == 1, columns = columns(:); end
  else
    columns = {column_of(X)};
  end
  count = size (columns, 2);
  if isempty (names)
    if strcmp (stem, 'y') && count == 1
      names = {'y'};
    else
      names = arrayfun (@(j) sprintf ('%s%d', stem, j), 1:count, 'UniformOutput', false);
    end
  elseif numel (names) ~= count
    error ('rls2:badArgument', 'there are %d columns and %d names', count, numel (names));
  end
end

% A column of numbers, or of texts.
function column = column_of (column)
  if isnumeric (column) || islogical (column)
    column = double (column(:));
  elseif ischar (column)
    column = cellstr (column);
  elseif iscell (column)
    column = column(:);
  else
    column = cellstr (column); % string and categorical arrays of MATLAB
    column = column(:);
  end
end
