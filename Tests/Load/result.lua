-- What support/wrk.py reads: requests a second, the 99th percentile in ms, how many answers were no success, and the median in ms.
function done(summary, latency, requests)
    local errors = summary.errors
    local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format("RESULT %.1f %.3f %d %.3f\n", summary.requests / (summary.duration / 1e6), latency:percentile(99) / 1000, failures,
        latency:percentile(50) / 1000))
end
