-- POST /actions by any of the accounts 1 to the first argument, each named by Account-ID as a trusted gateway does; products stand
-- one a line in the file that is the second. Half add to a cart, half search: each answer is one logged action.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "result.lua")

local HEAD = "POST /actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccount-ID: "
local accounts, number, rests = 0, 0, {}

function init(arguments)
    accounts = tonumber(arguments[1])
    local index = 0
    for product in io.lines(arguments[2]) do
        for _, body in ipairs({
            string.format('{"type":"cart/addItem","payload":{"productID":"%s","quantity":%d}}', product, 1 + index % 3),
            string.format('{"type":"catalog/search","payload":{"query":"the %d books of the sea and the garden"}}', index),
        }) do
            index = index + 1
            rests[index] = string.format("\r\nContent-Length: %d\r\n\r\n%s", #body, body)
        end
    end
    math.randomseed(1)
end

function request()
    number = number % #rests + 1
    return HEAD .. math.random(accounts) .. rests[number]
end
