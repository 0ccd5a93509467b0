%RLS2_LOAD  Read a model file of rls2_save, the command, Python or R.
%
%   model = rls2_load ('file.model')
%
%   See also rls2_save, rls2_predict.
function model = rls2_load (file)
  model = rls2_mex ('load', file);
  model.input_names = model.inputs(:)';
end
