%RLS2_SETTINGS  The settings of rls2_train, rls2_path and rls2_cv.
%
%   rls2_settings ()            prints all of them
%   rls2_settings ('folds')     prints one, with all there is to know
%   s = rls2_settings ()        a struct array: name, default, choices, sentence, help
%
%   See also rls2_train.
function s = rls2_settings (name)
  all = rls2_mex ('settings');
  if nargin > 0
    all = all(strcmp (strrep ({all.name}, '-', '_'), strrep (name, '-', '_')));
    if isempty (all), error ('rls2:badSetting', 'there is no setting ''%s''', name); end
  end
  if nargout > 0, s = all; return; end
  for i = 1:numel (all)
    fprintf ('%-22s %s', strrep (all(i).name, '-', '_'), all(i).sentence);
    if ~isempty (all(i).default), fprintf (' [%s]', all(i).default); end
    fprintf ('\n');
    if nargin > 0, fprintf ('%s\n', all(i).help); end
  end
end
