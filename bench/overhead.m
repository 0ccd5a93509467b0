% What rls2_train takes beyond the library on the same rows: make bench-octave.
%
% The library's time is that of rls2_bench_overhead, a program in C that completes the same plan and
% carries it out. Both take turns; the least of each counts.
1;

function ms = library_ms (file, target, times, words)
  [status, out] = system (sprintf ('build/rls2_bench_overhead %s %s 3 %d columns all %s', file, ...
                                   target, times, words));
  assert (status == 0, '%s', out);
  ms = str2double (out);
end

function ms = least_ms (X, Y, times, settings)
  ms = Inf;
  for i = 1:times
    start = tic;
    rls2_train (X, Y, 'threads', 2, settings{:});
    ms = min (ms, 1e3 * toc (start));
  end
end

function measure (name, file, columns, target, times, words, varargin)
  rounds = 5;
  M = dlmread (file, ',', 1, 0);
  X = M(:, 1:columns);  Y = M(:, columns + 1);
  alone = whole = Inf;
  for i = 1:rounds
    alone = min (alone, library_ms (file, target, times, words));
    whole = min (whole, least_ms (X, Y, times, varargin));
  end
  printf ('%-20s %5d rows   library %8.1f ms   rls2_train %8.1f ms', name, rows (X), alone, whole);
  printf ('   beyond %5.1f ms (%.1f %%)\n', whole - alone, 100 * (whole / alone - 1));
end

measure ('prostate, linear', 'data/prostate.csv', 8, 'lpsa', 20, 'drop train kernels linear', ...
         'kernels', 'linear');
measure ('prostate', 'data/prostate.csv', 8, 'lpsa', 3, 'drop train');
measure ('housing, plain', 'data/housing.csv', 13, 'MEDV', 2, 'plain true', 'plain', true);
measure ('housing', 'data/housing.csv', 13, 'MEDV', 1, '');
