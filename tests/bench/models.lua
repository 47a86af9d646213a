--- What a run says of models' layers in turn, as its hosts hold them.
local M = {}

---@class bench.ModelRow all text
---@field about string   model, threads and holding
---@field read string    of a plain read
---@field ratio string   time over one mapping with as large pages

--- A row for each holding; none where a run is of layers alone, or older than models.
---@param run table of results.read
---@return bench.ModelRow[]
function M.rows(run)
  local rows = {}
  for _, model in ipairs(run.models or {}) do
    for _, subject in ipairs(model.subjects) do
      if subject.name ~= 'read' then
        rows[#rows + 1] = {
          about = ('%s, %d thread%s: %s'):format(model.model, model.threads,
            model.threads == 1 and '' or 's', subject.name),
          read = ('%.1f %%'):format(100 * subject.of_read),
          ratio = ('%.3f'):format(subject.ratio),
        }
      end
    end
  end
  return rows
end

return M
