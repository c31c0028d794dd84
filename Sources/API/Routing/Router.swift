internal import HTTP

/// Finds the route of a request by its number in the table.
///
/// Knows methods and paths only, not what answers there: so it is no generic, and what every request passes through is compiled once
/// for all. Paths without variables are compared as bytes, so the usual request makes no String.
struct Router: Sendable {
    /// A path and what it answers to.
    private struct Place: Sendable {
        let bytes: [UInt8]
        let segments: [PathSegment]
        let isLiteral: Bool
        var routes: [(method: Method, number: Int)] = []
    }

    enum Match {
        case found(Int, variables: [String])
        /// The path is there, the method is not; `allow` is the value of the Allow field.
        case otherMethod(allow: String)
        case none
    }

    private var places: [Place] = []

    /// The routes in the order of their table.
    init(_ routes: [(method: Method, path: String, segments: [PathSegment])]) {
        for (number, route) in routes.enumerated() {
            let index = places.firstIndex { $0.segments == route.segments } ?? add(route.path, route.segments)
            precondition(!places[index].routes.contains { $0.method == route.method }, "two routes for \(route.path)")
            places[index].routes.append((route.method, number))
        }
    }

    private mutating func add(_ path: String, _ segments: [PathSegment]) -> Int {
        let isLiteral = segments.allSatisfy { if case .literal = $0 { true } else { false } }
        places.append(Place(bytes: Array(path.utf8), segments: segments, isLiteral: isLiteral))
        return places.count - 1
    }

    func match(_ method: Method, _ target: Target) -> Match {
        let path = target.pathBytes
        for index in places.indices where places[index].isLiteral && path.equals(places[index].bytes) {
            return choose(method, places[index], [])
        }
        let segments = target.segments
        for place in places where place.segments.count == segments.count {
            if let variables = variables(of: place, in: segments) { return choose(method, place, variables) }
        }
        return .none
    }

    private func choose(_ method: Method, _ place: Place, _ variables: [String]) -> Match {
        // HEAD is GET without its body (RFC 9110, 9.3.2).
        let wanted = method == .head ? .get : method
        for route in place.routes where route.method == wanted { return .found(route.number, variables: variables) }
        return .otherMethod(allow: allow(place))
    }

    private func allow(_ place: Place) -> String {
        var methods = place.routes.map { $0.method.token.description }
        if methods.contains("GET") { methods.append("HEAD") }
        methods.append("OPTIONS")
        return methods.sorted().joined(separator: ", ")
    }

    /// The variable segments, or nil where a literal one differs.
    private func variables(of place: Place, in segments: [String]) -> [String]? {
        var variables: [String] = []
        for (pattern, segment) in zip(place.segments, segments) {
            switch pattern {
            case .literal(let literal): guard literal == segment else { return nil }
            case .variable: variables.append(segment)
            }
        }
        return variables
    }
}
