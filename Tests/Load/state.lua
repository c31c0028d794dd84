-- GET of one URL; the first argument, where there is one, is the bearer token.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "result.lua")

local bytes

function init(arguments)
    if arguments[1] then wrk.headers["Authorization"] = "Bearer " .. arguments[1] end
    bytes = wrk.format("GET")
end

function request()
    return bytes
end
