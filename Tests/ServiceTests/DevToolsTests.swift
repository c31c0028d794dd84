import Foundation
import Testing

/// The developer page as files; Tests/Browser/run uses it in a browser.
@ServiceQueue @Suite struct `The developer page` {
    @Test func `is off unless it is turned on`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            for path in ["/devtools", "/devtools/app.js"] { #expect(try wire.get(path).problem == "not-found") }
        }
    }

    @Test(arguments: ["--devtools-enabled", "--demo"]) func `loads nothing from elsewhere, and runs nothing but its own files`(
        _ flag: String
    ) throws {
        try withService(
            model: "counter", arguments: [flag, "--identity-password-memory", "1", "--identity-password-passes", "1"]
        ) {
            service in
            let wire = try service.connect()
            let page = try wire.get("/devtools")
            #expect(page.status == 200 && page.field("Content-Type") == "text/html; charset=utf-8")
            let html = String(decoding: page.body, as: UTF8.self)
            let names = html.matches(of: /(?:src|href)="\/devtools\/([^"]+)"/).map { String($0.1) }
            #expect(Set(names) == ["app.js", "style.css"])
            // No inline script, style or handler: the policy lets none run.
            #expect(!html.contains("<style") && !html.contains(" style=") && html.matches(of: #/ on[a-z]+=/#).isEmpty)
            var total = page.body.count
            for name in names + ["client.js", "json.js"] {
                let file = try wire.get("/devtools/\(name)")
                #expect(file.status == 200, "\(name)")
                let policy = try #require(file.field("Content-Security-Policy"))
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("http"))
                #expect(file.field("X-Content-Type-Options") == "nosniff")
                let text = String(decoding: file.body, as: UTF8.self)
                #expect(
                    text.matches(of: /https?:|innerHTML|localStorage|sessionStorage|document\.cookie|eval\(/).isEmpty, "\(name)")
                let again = try wire.get("/devtools/\(name)", fields: [("If-None-Match", file.field("ETag") ?? "")])
                #expect(again.status == 304)
                total += file.body.count
            }
            #expect(total < 64 << 10, "\(total) bytes")
            #expect(try wire.get("/devtools/other.js").problem == "not-found")
        }
    }
}
