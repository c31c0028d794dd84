-- POST /actions by the accounts whose tokens stand one a line in the file that is the first argument; products in the second's.
-- Half add to a cart, half search: none asks for an effect, so that each answer is one logged action.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "result.lua")

-- They are made before the load begins: what the client does with its share of the processors is taken from the service.
local MADE = 20000
local requests, number = {}, 0

local function lines(path)
    local found = {}
    for line in io.lines(path) do found[#found + 1] = line end
    return found
end

function init(arguments)
    local tokens, products = lines(arguments[1]), lines(arguments[2])
    math.randomseed(1)
    for index = 1, MADE do
        local body
        if index % 2 == 0 then
            body = string.format(
                '{"type":"cart/addItem","payload":{"productID":"%s","quantity":%d}}', products[math.random(#products)], 1 + index % 3)
        else
            body = string.format('{"type":"catalog/search","payload":{"query":"the %d books of the sea and the garden"}}', index)
        end
        requests[index] = wrk.format("POST", "/actions", {
            ["Host"] = "127.0.0.1", ["Content-Type"] = "application/json",
            ["Authorization"] = "Bearer " .. tokens[math.random(#tokens)],
        }, body)
    end
end

function request()
    number = number % MADE + 1
    return requests[number]
end
