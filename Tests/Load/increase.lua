-- POST /actions by the accounts whose tokens stand one a line in the file that is the first argument: the counter's one action without a
-- payload, so that what is measured is the way of an action and hardly the model.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "result.lua")

local MADE = 20000
local requests, number = {}, 0

function init(arguments)
    local tokens = {}
    for line in io.lines(arguments[1]) do tokens[#tokens + 1] = line end
    math.randomseed(1)
    for index = 1, MADE do
        requests[index] = wrk.format("POST", "/actions", {
            ["Host"] = "127.0.0.1", ["Content-Type"] = "application/json",
            ["Authorization"] = "Bearer " .. tokens[math.random(#tokens)],
        }, '{"type":"counter/increase"}')
    end
end

function request()
    number = number % MADE + 1
    return requests[number]
end
