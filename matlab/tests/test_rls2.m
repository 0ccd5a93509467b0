% Tests of the package against the command, run by tools/octave.sh test. Prints a line for each
% test that fails, and ends with an error where one did.
function test_rls2 ()
  tests = {@same_bits_as_the_command, @same_curve, @classes, @text_columns, @missing, @errors, ...
           @verify_finds_other_rows, @test_rows, @progress, @figures, @help_texts, ...
           @migration_page, @readme};
  failed = 0;
  for i = 1:numel (tests)
    try
      tests{i} ();
    catch e
      failed = failed + 1;
      printf ('FAILED %s: %s\n', func2str (tests{i}), e.message);
    end
  end
  printf ('%d passed, %d failed\n', numel (tests) - failed, failed);
  if failed, exit (1); end
end

function [X, Y] = problem ()
  randn ('seed', 1);
  X = randn (80, 3);
  Y = sin (2 * X(:,1)) + 0.1 * randn (80, 1);
end

function out = run (varargin)
  [status, out] = system ([getenv('RLS2_COMMAND'), ' ', sprintf('%s ', varargin{:})]);
  assert (status == 0, '%s', out);
end

function bytes = bytes_of (file)
  f = fopen (file);  bytes = fread (f, Inf, '*uint8')';  fclose (f);
end

function same_bits_as_the_command ()
  [X, Y] = problem ();
  save ('-v7', 'd.mat', 'X', 'Y');
  cases = {{'--plain --folds 5', 'plain', true, 'folds', 5}, ...
           {'--folds 4', 'folds', 4}, ...
           {'-k linear --rule 1se', 'kernels', 'linear', 'rule', '1se'}};
  for i = 1:numel (cases)
    model = rls2_train (X, Y, cases{i}{2:end});
    rls2_save (model, 'ours.model');
    run ('train d.mat -q -o theirs.model', cases{i}{1});
    assert (bytes_of ('ours.model'), bytes_of ('theirs.model'));
    back = rls2_load ('theirs.model');
    assert (back.bytes, model.bytes);
    assert (rls2_predict (back, X), rls2_predict (model, X));
  end
end

function same_curve ()
  [X, Y] = problem ();
  save ('-v7', 'd.mat', 'X', 'Y');
  ours = rls2_cv (X, Y, 'kernels', 'linear');
  theirs = jsondecode (run ('cv d.mat -k linear --json -q 2>/dev/null'));
  assert (ours.cv.cvm, theirs.cvm(:), 1e-15);
  assert (ours.cv.lambda, theirs.lambda(:), 1e-15);
end

function classes ()
  [X, Y] = problem ();
  words = {'low', 'high'};
  labels = words((Y > 0) + 1)';
  model = rls2_train (X, labels, 'kernels', 'linear', 'probability', true, 'lambda', 0.1);
  assert (model.classes, {'high'; 'low'});
  [found, more] = rls2_predict (model, X);
  assert (mean (strcmp (found, labels)) > 0.7);
  assert (sum (more.probabilities, 2), ones (80, 1), 1e-12);
end

function text_columns ()
  [X, Y] = problem ();
  words = {'a'; 'b'};
  group = words(1 + (X(:,2) > 0));
  model = rls2_train ({X(:,1), group}, Y + 3 * (X(:,2) > 0), 'names', {'u', 'g'}, ...
                      'plain', true, 'folds', 3);
  assert (model.inputs, {'u'; 'g'});
  f = rls2_predict (model, {[0; 0], {'a'; 'b'}});
  assert (f(2) - f(1) > 2);
end

function missing ()
  [X, Y] = problem ();
  X(5,1) = NaN;
  model = rls2_train (X, Y, 'kernels', 'linear', 'lambda', 0.1, 'missing', 'drop');
  assert (model.rows, 79);
  f = rls2_predict (model, X);
  assert (isnan (f), isnan (X(:,1)));
end

function refuses (id, call)
  try
    call ();
  catch e
    assert (e.identifier, id);
    return;
  end
  error ('nothing was refused where %s was due', id);
end

function errors ()
  [X, Y] = problem ();
  refuses ('rls2:badSetting', @() rls2_train (X, Y, 'fold', 5));
  refuses ('rls2:badSetting', @() rls2_train (X, Y, 'folds', -5));
  refuses ('rls2:badArgument', @() rls2_train (X, Y(1:3)));
  refuses ('rls2:badArgument', @() rls2_train (X, Y, 'folds'));
  refuses ('rls2:badFile', @() rls2_load ('there is none'));
  refuses ('rls2:badArgument', @() rls2_plot (struct (), 'path'));
  model = rls2_train (X, Y, 'kernels', 'linear', 'lambda', 0.1);
  model.bytes(40) = model.bytes(40) + 1;
  try
    rls2_predict (model, X);
    error ('test:none', 'a damaged model was taken');
  catch e
    assert (~ strcmp (e.identifier, 'test:none'));
  end
end


function verify_finds_other_rows ()
  [X, Y] = problem ();
  model = rls2_train (X, Y, 'kernels', 'linear', 'lambda', 0.1);
  c = rls2_verify (model, X, Y);
  assert (c.same_rows && c.gap < 1e-6);
  Y(1) = Y(1) + 1;
  c = rls2_verify (model, X, Y);
  assert (! c.same_rows && c.gap > 1e-4);
end

function test_rows ()
  [X, Y] = problem ();
  r = rls2_path (X(1:60,:), Y(1:60), 'kernels', 'linear', 'test', {X(61:80,:), Y(61:80)});
  assert (size (r.path.predicted), [20, numel(r.path.lambda)]);
  assert (r.path.y_test, Y(61:80));
  model = rls2_train (X(1:60,:), Y(1:60), 'kernels', 'linear', ...
                      'lambdas', r.path.lambda(1:10), 'lambda', r.path.lambda(10));
  assert (rls2_predict (model, X(61:80,:)), r.path.predicted(:,10), 1e-9);
end

function progress ()
  global told
  told = {};
  [X, Y] = problem ();
  rls2_train (X, Y, 'progress', @note);
  assert (numel (told) > 0);
  refuses ('rls2:interrupted', @() rls2_train (X, Y, 'progress', @() error ('stop')));
end

function note (stage, done, total)
  global told
  told{end+1} = stage;
end

function figures ()
  if isempty (available_graphics_toolkits ()), return; end
  [X, Y] = problem ();
  model = rls2_train (X, Y, 'plain', true, 'folds', 4);
  path = rls2_path (X, Y, 'kernels', 'linear');
  calls = {{path, 'path'}, {path, 'selected'}, {model, 'cv'}, {model, 'kernels'}, ...
           {model, 'effects'}, {model, 'predicted', X, Y}};
  folder = getenv ('RLS2_FIGURES'); % where pictures are left, if anywhere
  for i = 1:numel (calls)
    h = figure ('visible', 'off');
    rls2_plot (calls{i}{:});
    assert (numel (get (h, 'children')) > 0);
    if ! isempty (folder), print (h, '-dpng', [folder, '/', calls{i}{2}, '.png']); end
    close (h);
  end
end

% Every function says what it does.
function help_texts ()
  names = {'train', 'path', 'cv', 'predict', 'plot', 'show', 'verify', 'save', 'load', 'settings'};
  for i = 1:numel (names)
    text = get_help_text (['rls2_', names{i}]);
    assert (! isempty (strfind (text, upper (['rls2_', names{i}]))));
  end
end

function migration_page ()
  run_page ('docs/OCTAVE.md', 3);
end

function readme ()
  run_page ('README.md', 1);
end

% The lines of a page between ```octave and ```, each block in its order.
function run_page (name, least)
  blocks = regexp (fileread ([getenv('RLS2_TREE'), '/', name]), '```octave\n(.*?)```', 'tokens');
  assert (numel (blocks) >= least);
  code = strjoin (cellfun (@(b) b{1}, blocks, 'UniformOutput', false), "\n");
  evalc (code);
end
