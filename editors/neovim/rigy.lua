-- Rigy documents and scenes in Neovim, by `rigy-batch lsp`.
--
-- Neovim 0.11 or later: copy this file to ~/.config/nvim/after/plugin/rigy.lua, or `:source` it. The program must be on the
-- PATH; else put its absolute path into `cmd`.

-- The server attaches by the type of the file, so documents get a type of their own, with the colours of YAML.
vim.filetype.add({
  pattern = {
    [".*%.rigy%.ya?ml"] = "yaml.rigy",
    [".*%.rigs%.ya?ml"] = "yaml.rigy",
    [".*%.part%.ya?ml"] = "yaml.rigy",
    [".*%.ricy%.ya?ml"] = "yaml.rigy",
  },
})

vim.lsp.config("rigy", {
  cmd = { "rigy-batch", "lsp" },
  filetypes = { "yaml.rigy" },
  root_markers = { ".git" },
  -- The server judges by names of files; it takes the language `rigy` for a document of any name.
  get_language_id = function()
    return "yaml"
  end,
})

vim.lsp.enable("rigy")
