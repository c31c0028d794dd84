/// Writes answers (RFC 9112 sections 4 and 6): appended to a connection's output, so that several leave in one write.
///
/// The status line always says HTTP/1.1 (RFC 9110 section 2.5). Every answer has a Date; every one with content has either
/// a Content-Length or a transfer coding, never both; 1xx and 204 have neither; nothing chunked is sent to HTTP/1.0.
public enum ResponseSerializer {
    /// Appends a whole answer.
    ///
    /// - Parameters:
    ///   - date: the current moment; the caller makes it once a second.
    ///   - output: what is still to be sent on the connection.
    /// - Returns: whether the connection goes on behind it.
    @discardableResult
    public static func append(
        _ response: Response, in context: ResponseContext, date: HTTPDate, to output: inout [UInt8]
    ) -> Bool {
        let keepAlive = context.keepAlive && !response.closesConnection
        appendStart(response.status, date, response.fields, to: &output)
        appendConnection(keepAlive: keepAlive, minorVersion: context.minorVersion, to: &output)
        if response.status.forbidsContent {
            output.append("\r\n")
        } else {
            output.append("Content-Length: ")
            output.appendDecimal(response.body.count)
            output.append("\r\n\r\n")
            if !context.isHead { output.append(contentsOf: response.body) }
        }
        return keepAlive
    }

    /// Appends the head of an answer whose content follows piece by piece, with 200 or another status that permits content.
    ///
    /// - Returns: how the content is to be coded, and whether the connection goes on behind it: chunked in HTTP/1.1; up to
    ///   the connection's end in HTTP/1.0; none to HEAD.
    public static func appendStreamHead(
        status: Status, fields: ResponseFields, in context: ResponseContext, date: HTTPDate, to output: inout [UInt8]
    ) -> (coding: StreamCoding, keepAlive: Bool) {
        precondition(!status.forbidsContent, "a status that has no content cannot begin a stream")
        let coding: StreamCoding = context.isHead ? .none : context.minorVersion == 0 ? .untilClose : .chunked
        let keepAlive = context.keepAlive && coding != .untilClose
        appendStart(status, date, fields, to: &output)
        appendConnection(keepAlive: keepAlive, minorVersion: context.minorVersion, to: &output)
        // To HEAD the coding is named as it would be to GET (RFC 9112 section 6.1), though not to HTTP/1.0.
        if context.minorVersion > 0 { output.append("Transfer-Encoding: chunked\r\n") }
        output.append("\r\n")
        return (coding, keepAlive)
    }

    /// Appends the interim answer 100 (RFC 9110 section 15.2.1); never to HTTP/1.0.
    public static func appendContinue(to output: inout [UInt8]) {
        output.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    private static func appendStart(_ status: Status, _ date: HTTPDate, _ fields: ResponseFields, to output: inout [UInt8]) {
        if status.code == 200 {
            output.append("HTTP/1.1 200 OK\r\nDate: ")
        } else {
            output.append("HTTP/1.1 ")
            output.appendDecimal(Int(status.code))
            output.append(ByteName.space)
            output.append(status.reason)
            output.append("\r\nDate: ")
        }
        output.append(contentsOf: date.bytes)
        output.append("\r\n")
        output.append(contentsOf: fields.bytes)
    }

    /// RFC 9112 section 9.3: closing is announced always, keeping only where it is not the version's habit.
    private static func appendConnection(keepAlive: Bool, minorVersion: UInt8, to output: inout [UInt8]) {
        if !keepAlive {
            output.append("Connection: close\r\n")
        } else if minorVersion == 0 {
            output.append("Connection: keep-alive\r\n")
        }
    }
}
