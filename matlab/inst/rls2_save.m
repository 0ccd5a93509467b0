%RLS2_SAVE  Write a model file, for rls2_load, the command, Python and R.
%
%   rls2_save (model, 'file.model')
%
%   See also rls2_load, rls2_train.
function rls2_save (model, file)
  rls2_mex ('save', model.bytes, file);
end
