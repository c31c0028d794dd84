internal import Glibc

/// What the system knows of this process, as Prometheus' client libraries report it. Reads `/proc`; a figure it does not find is nil.
public struct ProcessFigures: Sendable {
    /// Processor time of all threads since the start, in user and system mode together.
    public var cpuSeconds: Double?
    /// Memory that is in RAM now.
    public var residentBytes: Int?
    /// Address space taken, most of which may never be touched.
    public var virtualBytes: Int?
    /// Threads alive now, Dispatch's included.
    public var threads: Int?
    /// Descriptors open now; 0 where `/proc/self/fd` cannot be read.
    public var openDescriptors: Int
    /// The soft limit on descriptors (RLIMIT_NOFILE).
    public var descriptorsMax: Int?
    /// Seconds since 1970.
    public var startSeconds: Double?

    /// Of now.
    public static func read() -> ProcessFigures {
        var figures = ProcessFigures(openDescriptors: System.openDescriptorCount)
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.descriptorsMax = Int(clamping: limit.rlim_cur)
        }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        guard let fields = text(of: "/proc/self/stat").flatMap(statFields) else { return figures }
        if let user = Double(fields[11]), let system = Double(fields[12]) { figures.cpuSeconds = (user + system) / ticks }
        figures.threads = Int(fields[17])
        if let start = Double(fields[19]), let boot = bootSeconds { figures.startSeconds = boot + start / ticks }
        figures.virtualBytes = Int(fields[20])
        figures.residentBytes = Int(fields[21]).map { $0 * max(1, sysconf(Int32(_SC_PAGESIZE))) }
        return figures
    }

    /// The fields of proc(5)'s `stat` from the third on. The second is the name in parentheses, which may hold anything.
    static func statFields(_ text: String) -> [Substring]? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count >= 22 ? fields : nil
    }

    /// When the system was started, in seconds since 1970.
    private static let bootSeconds: Double? = text(of: "/proc/stat")?.split(separator: "\n")
        .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }

    /// A file of `/proc`, whose size is not known beforehand.
    private static func text(of path: String) -> String? {
        guard let file = try? File(path, .read), let bytes = try? file.read(bytesMax: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
