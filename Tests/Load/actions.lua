-- POST /actions by the accounts whose tokens stand one a line in the file that is the first argument; products in the second's.
-- Half add to a cart, half search: none asks for an effect, so that each answer is one logged action.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "result.lua")

local tokens, products, number = {}, {}, 0

function init(arguments)
    for token in io.lines(arguments[1]) do tokens[#tokens + 1] = token end
    for product in io.lines(arguments[2]) do products[#products + 1] = product end
    math.randomseed(1)
end

function request()
    number = number + 1
    local body
    if number % 2 == 0 then
        body = string.format(
            '{"type":"cart/addItem","payload":{"productID":"%s","quantity":%d}}', products[math.random(#products)], 1 + number % 3)
    else
        body = string.format('{"type":"catalog/search","payload":{"query":"the %d books of the sea and the garden"}}', number)
    end
    return wrk.format("POST", "/actions", {
        ["Host"] = "127.0.0.1", ["Content-Type"] = "application/json",
        ["Authorization"] = "Bearer " .. tokens[math.random(#tokens)],
    }, body)
end
