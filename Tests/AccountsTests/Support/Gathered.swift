import Synchronization

/// Collects texts from any thread, and hands them over once there are so many.
final class Gathered: Sendable {
    private let texts = Mutex<[String]>([])
    private let count: Int
    private let done: @Sendable ([String]) -> Void

    init(_ count: Int, done: @escaping @Sendable ([String]) -> Void) {
        self.count = count
        self.done = done
    }

    func add(_ text: String) {
        let all = texts.withLock { texts -> [String]? in
            texts.append(text)
            return texts.count == count ? texts : nil
        }
        if let all { done(all) }
    }
}
