-- Nine reads of a state for one action, over the accounts whose tokens stand one a line in the file that is the first argument.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "result.lua")

local tokens, number = {}, 0

function init(arguments)
    for token in io.lines(arguments[1]) do tokens[#tokens + 1] = token end
    math.randomseed(1)
end

function request()
    number = number + 1
    local headers = { ["Host"] = "127.0.0.1", ["Authorization"] = "Bearer " .. tokens[math.random(#tokens)] }
    if number % 10 ~= 0 then return wrk.format("GET", "/state", headers) end
    headers["Content-Type"] = "application/json"
    return wrk.format("POST", "/actions", headers,
        string.format('{"type":"catalog/search","payload":{"query":"the %d books of the sea and the garden"}}', number))
end
