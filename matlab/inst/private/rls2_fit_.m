% Translates arguments for the gateway.
function result = rls2_fit_ (goal, X, Y, arguments)
  given = struct ('names', {{}}, 'target', '', 'test', {{}}, 'threads', 0, 'progress', [], ...
                  'lambdas', []);
  [given, words] = read_arguments (given, arguments);
  [columns, names] = rls2_columns_ (X, given.names, 'x');
  [targets, target_names] = rls2_columns_ (Y, given.target, 'y');
  test = {[], []};
  if ~isempty (given.test)
    test{1} = rls2_columns_ (given.test{1}, names, 'x');
    if numel (given.test) > 1, test{2} = rls2_columns_ (given.test{2}, target_names, 'y'); end
  end
  result = rls2_mex ('fit', goal, columns, names, targets, target_names, words, ...
                     double (given.lambdas(:)), double (given.threads), given.progress, test{1}, ...
                     test{2});
  result.input_names = names;
end

% Those of this package go into given, all others become words for the plan.
function [given, words] = read_arguments (given, arguments)
  words = {};
  i = 1;
  while i <= numel (arguments)
    if isstruct (arguments{i})
      fields = fieldnames (arguments{i});
      pairs = [fields'; struct2cell(arguments{i})'];
      arguments = [arguments(1:i-1), pairs(:)', arguments(i+1:end)];
      continue;
    end
    if ~ischar (arguments{i}) || i == numel (arguments)
      error ('rls2:badArgument', 'settings are given as pairs of a name and a value');
    end
    [name, value] = arguments{i:i+1};
    if isfield (given, name) && ~(strcmp (name, 'lambdas') && ischar (value))
      given.(name) = value;
    else
      words = [words, word_of(name, value)];
    end
    i = i + 2;
  end
end

function words = word_of (name, value)
  if ischar (value)
    words = {name, value};
  elseif iscell (value)
    words = {};
    for i = 1:numel (value), words = [words, word_of(name, value{i})]; end
  elseif islogical (value) && isscalar (value)
    choice = {'false', 'true'};
    words = {name, choice{value + 1}};
  elseif isnumeric (value) && isscalar (value)
    words = {name, sprintf('%.17g', value)};
  else
    error ('rls2:badSetting', 'the value of ''%s'' must be a text, a number or a cell array', name);
  end
end
