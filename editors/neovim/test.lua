-- Goes through a specification as somebody would, with the lines of editors/README.md:
--     nvim --clean --headless -c 'luafile editors/neovim/test.lua'
-- in the root of the repository, with `endstep` on the PATH. The folder in WORK is its own.

local PATIENCE = 60000
local uv = vim.loop

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- The lines for this version: the first block of the page that is for it.
local function lines_of_page(page)
  local section = assert(page:match("\n## Neovim\n(.-)\n## "))
  local blocks = {}
  for block in section:gmatch("```lua\n(.-)```") do
    table.insert(blocks, block)
  end
  assert(#blocks == 2, "the page has " .. #blocks .. " blocks for Neovim")
  -- Also what is not for this version can be read.
  assert(loadstring(blocks[1]))
  assert(loadstring(blocks[2]))
  return blocks[vim.fn.has("nvim-0.11") == 1 and 1 or 2]
end

local function passed(what)
  io.stdout:write("ok - Neovim: " .. what .. "\n")
end

-- Waits until something is so, and returns it.
local function until_so(what, is)
  local found
  vim.wait(PATIENCE, function()
    found = is()
    return found
  end, 20)
  return assert(found, "it never came to this: " .. what)
end

local function codes()
  local all = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    table.insert(all, one.code or one.user_data.lsp.code)
  end
  table.sort(all)
  return table.concat(all, " ")
end

-- The line of a text, from 1.
local function line(text)
  for number, one in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    if one:find(text, 1, true) then
      return number, one:find(text, 1, true)
    end
  end
  error("no line has " .. text)
end

local function go_to(text, plus)
  local number, column = line(text)
  vim.api.nvim_win_set_cursor(0, { number, column - 1 + (plus or 0) })
end

local function replace(text, by)
  local number, first, last = line(text)
  vim.api.nvim_buf_set_text(0, number - 1, first - 1, number - 1, last, { by })
end

local function run()
  assert(loadstring(lines_of_page(read("editors/README.md"))))()
  local work = assert(uv.fs_realpath(assert(os.getenv("WORK"))))
  local path = work .. "/duel.endstep"
  local file = assert(io.open(path, "w"))
  file:write((read("tests/editors/duel.endstep"):gsub("decrease", "decrese")))
  file:close()
  vim.cmd("cd " .. vim.fn.fnameescape(work))
  vim.cmd("edit duel.endstep")

  until_so("an error is told", function() return codes() == "E0110" end)
  local told = vim.diagnostic.get(0)[1]
  assert(told.lnum == line("decrese") - 1, vim.inspect(told))
  assert(told.message:find("did you mean `decrease`?", 1, true), vim.inspect(told))
  passed("an error is told, with what may be meant")

  replace("decrese", "decrease")
  until_so("findings are told", function() return codes() == "F0201 F0201 F0610" end)
  passed("findings are told when the text rests")

  go_to("move f to fallen", #"move f to ")
  vim.lsp.buf.definition()
  until_so("the cursor is at the definition", function()
    local at = vim.api.nvim_win_get_cursor(0)
    return at[1] == 6 and at[2] == #"zone "
  end)
  passed("a name leads to its definition")

  vim.lsp.buf.rename("beaten")
  until_so("the name is another one", function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n")
    local _, count = text:gsub("beaten", "")
    return count == 2 and not text:find("fallen", 1, true)
  end)
  passed("a name is changed wherever it stands")

  replace("zone beaten", "zone   beaten")
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = PATIENCE })
  else
    vim.lsp.buf.formatting_sync(nil, PATIENCE)
  end
  assert(vim.fn.getline(6) == "zone beaten of Fighter", vim.fn.getline(6))
  passed("the text gets its layout")

  -- Nobody refreshes lenses here: the lines of the page do.
  until_so("a verdict stands above the claim", function()
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if lens.command and lens.command.title:find("^refuted") then
        return true
      end
    end
  end)
  go_to("claim any_order")
  vim.ui.select = function(all, options, choose)
    for number, one in ipairs(all) do
      if options.format_item(one):find("refuted", 1, true) then
        return choose(one, number)
      end
    end
    error("there is no verdict to choose")
  end
  local said
  local before = vim.lsp.handlers["window/showMessage"]
  vim.lsp.handlers["window/showMessage"] = function(failed, result, ...)
    said = result.message
    return before(failed, result, ...)
  end
  vim.lsp.codelens.run()
  until_so("the claim is checked alone", function() return said end)
  assert(said:find("any_order: refuted", 1, true), said)
  assert(said:find("health of fighter 2: from 1 to 0", 1, true), said)
  passed("what stands above a line is carried out")

  vim.cmd("silent write")
  assert(read(path):find("zone beaten of Fighter", 1, true))
  local running = vim.lsp.get_clients or vim.lsp.get_active_clients
  local clients = running()
  assert(#clients == 1, #clients .. " clients")
  vim.lsp.stop_client(clients)
  until_so("the server has ended", function() return #running() == 0 end)
  passed("the server ends with the editor")
end

local is_well, why = xpcall(run, debug.traceback)
if not is_well then
  io.stdout:write("not ok - Neovim: " .. tostring(why) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
