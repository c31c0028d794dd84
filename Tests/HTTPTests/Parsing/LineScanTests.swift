import Testing

@testable import HTTP

@Suite struct `The end of a line` {
    private func scan(_ text: [UInt8], start: Int = 0, scanned: Int = 0, bytesMax: Int = 1_000) -> LineScan {
        LineScan.find(text.span, start: start, scanned: scanned, bytesMax: bytesMax)
    }

    @Test func `it is found behind any number of bytes`() {
        for count in 0..<40 {
            for start in 0..<9 {
                let text = [UInt8](repeating: 0x61, count: start + count) + [0x0D, 0x0A] + [0x62, 0x0D, 0x0A]
                #expect(scan(text, start: start) == .end(start + count))
            }
        }
    }

    @Test func `every control but a tab is found at every place of a word`() {
        for byte in Array(UInt8(0)...0x1F) + [0x7F] where byte != 0x09 && byte != 0x0D {
            for place in 0..<24 {
                var text = [UInt8](repeating: 0xFF, count: 24) + [0x0D, 0x0A]
                text[place] = byte
                #expect(scan(text) == (byte == 0x0A ? .bareLineFeed : .controlByte))
            }
        }
    }

    @Test func `no other byte stops the scan`() {
        for byte in Array(UInt8(0x20)...0xFF) + [0x09] where byte != 0x7F {
            #expect(scan([UInt8](repeating: byte, count: 17) + [0x0D, 0x0A]) == .end(17))
        }
    }

    @Test func `the first fault in order is the one reported`() {
        let text = Array("aaaaaaaa\u{1}bb\nccccccc\r\n".utf8)
        #expect(scan(text) == .controlByte)
        #expect(scan(Array("aaa\nbb\u{1}\r\n".utf8)) == .bareLineFeed)
        #expect(scan(Array("aaa\rbb\n".utf8)) == .bareCarriageReturn)
    }

    @Test func `a carriage return at the end waits for the byte behind it`() {
        #expect(scan(Array("ab\r".utf8)) == .more(2))
        #expect(scan(Array("ab\r\n".utf8), scanned: 2) == .end(2))
        #expect(scan(Array("ab\rX".utf8), scanned: 2) == .bareCarriageReturn)
    }

    @Test func `the longest line is taken and one byte more is too long`() {
        let limit = 20
        for count in [limit, limit + 1] {
            let line = [UInt8](repeating: 0x61, count: count) + [0x0D, 0x0A]
            #expect(scan(line, bytesMax: limit) == (count == limit ? .end(limit) : .tooLong))
        }
        #expect(scan([UInt8](repeating: 0x61, count: limit), bytesMax: limit) == .more(limit))
        #expect(scan([UInt8](repeating: 0x61, count: limit) + [0x0D], bytesMax: limit) == .more(limit))
        #expect(scan([UInt8](repeating: 0x61, count: limit) + [0x09, 0x0D, 0x0A], bytesMax: limit) == .tooLong)
        #expect(scan([0x61, 0x0D, 0x0A], bytesMax: 0) == .tooLong)
        #expect(scan([0x0D, 0x0A], bytesMax: 0) == .end(0))
    }
}
