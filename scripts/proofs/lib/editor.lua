-- Asks the language server in Neovim what an author would, and prints the answers as one line of JSON.
local found, buffer = {}, 0

local function wait_for(what, holds)
  if not vim.wait(20000, holds, 20) then
    error("there is nothing of this after 20 s: " .. what)
  end
end

local function diagnostics()
  return vim.tbl_map(function(it)
    return { code = it.code, line = it.lnum + 1 }
  end, vim.diagnostic.get(buffer))
end

local function ask(method, params)
  local answers, fault = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  assert(answers, fault)
  local _, answer = next(answers)
  assert(answer and not answer.error, method .. ": " .. vim.inspect(answer and answer.error))
  return answer.result
end

local function put_cursor(line, part)
  local text = vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1]
  vim.api.nvim_win_set_cursor(0, { line, assert(text:find(part, 1, true), part) - 1 })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
end

local function run()
  vim.cmd.source("/editors/rigy.lua")
  vim.cmd.edit("/work/lamp.rigy.yaml")
  buffer = vim.api.nvim_get_current_buf()
  wait_for("a client", function() return #vim.lsp.get_clients({ bufnr = buffer }) > 0 end)
  wait_for("a finding", function() return #vim.diagnostic.get(buffer) > 0 end)
  found.first = diagnostics()

  -- The quick fix of the first finding, applied as the editor does.
  local at = vim.diagnostic.get(buffer)[1]
  vim.api.nvim_win_set_cursor(0, { at.lnum + 1, at.col })
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.kind == "quickfix" end })
  wait_for("no finding", function() return #vim.diagnostic.get(buffer) == 0 end)
  found.mended = text()

  found.hover = ask("textDocument/hover", put_cursor(5, "type")).contents.value
  vim.api.nvim_buf_set_lines(buffer, -1, -1, true, { "poses:", "  - " })
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), 3 })
  local behind = vim.lsp.util.make_position_params(0, "utf-16")
  behind.position.character = 4 -- where an author types; a cursor of normal mode cannot stand there
  local proposals = ask("textDocument/completion", behind)
  found.proposals = vim.tbl_map(function(it) return it.label end, proposals.items or proposals)
  vim.api.nvim_buf_set_lines(buffer, -3, -1, true, {})

  put_cursor(11, "arm,")
  vim.lsp.buf.rename("mast")
  wait_for("a new name", function() return text():find("armature_id: mast", 1, true) end)
  vim.lsp.buf.format()
  found.formatted = text()
  found.symbols = #ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params(buffer) })
end

local ok, fault = pcall(run)
found.fault = not ok and tostring(fault) or nil
io.stdout:write(vim.json.encode(found), "\n")
vim.cmd("qall!")
