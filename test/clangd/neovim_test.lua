-- Neovim's own client and samedevice-clangd: a finding is shown, its quick fix taken, and it is gone.
--   SERVER=... STAND_INS=... nvim --headless -u NONE -S neovim_test.lua
local server, stand_ins = os.getenv("SERVER"), os.getenv("STAND_INS")
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")

local function fail(message)
  io.stderr:write(message .. "\n")
  vim.cmd("cquit 1")
end

local function wait_for(what, condition)
  if not vim.wait(60000, condition, 50) then
    fail("waited in vain for " .. what)
  end
end

local function write(name, lines)
  vim.fn.writefile(lines, folder .. "/" .. name)
end

write("compile_flags.txt", { "-std=c++17", "-isystem", stand_ins })
write("net.cpp", {
  "#include <torch/torch.h>",
  "int main() {",
  "  torch::nn::Linear net(2, 2);",
  "  net->to(torch::kCUDA);",
  "  auto x = torch::zeros({2, 2});",
  "  net->forward(x);",
  "}",
})

vim.cmd("edit " .. folder .. "/net.cpp")
local client = vim.lsp.start_client({ name = "samedevice", cmd = { server }, root_dir = folder })
vim.lsp.buf_attach_client(0, client)

wait_for("the finding", function() return #vim.diagnostic.get(0) > 0 end)
local finding = vim.diagnostic.get(0)[1]
if finding.user_data.lsp.code ~= "device-mixed-operands" then
  fail("another finding: " .. vim.inspect(finding))
end
if finding.lnum ~= 5 then
  fail("on another line: " .. vim.inspect(finding))
end

-- Whoever asks for code actions on this line, and takes the first.
local before = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
vim.ui.select = function(items, _, choose) choose(items[1], 1) end
vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
vim.lsp.buf.code_action()
wait_for("the edit", function() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") ~= before end)
wait_for("the finding to go", function() return #vim.diagnostic.get(0) == 0 end)

print(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
vim.fn.delete(folder, "rf")
vim.cmd("qall!")
