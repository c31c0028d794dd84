internal import HTTP
internal import Redux

/// Finds the route of a request. Paths without variables are compared as bytes, so the usual request makes no String.
struct Router<Model: AccountModel>: Sendable {
    private struct Place: Sendable {
        let bytes: [UInt8]
        let segments: [Route<Model>.Segment]
        let isLiteral: Bool
        var routes: [Route<Model>]
    }

    enum Match {
        case found(Route<Model>, variables: [String])
        /// The path is there, the method is not; `allow` is the value of the Allow field.
        case otherMethod(allow: String)
        case none
    }

    private var places: [Place] = []

    init(_ routes: [Route<Model>]) {
        for route in routes {
            if let index = places.firstIndex(where: { $0.segments == route.segments }) {
                precondition(!places[index].routes.contains { $0.method == route.method }, "two routes for \(route.path)")
                places[index].routes.append(route)
            } else {
                let isLiteral = route.segments.allSatisfy { if case .literal = $0 { true } else { false } }
                places.append(
                    Place(bytes: Array(route.path.utf8), segments: route.segments, isLiteral: isLiteral, routes: [route]))
            }
        }
    }

    func match(_ method: Method, _ target: Target) -> Match {
        let path = target.pathBytes
        if let place = places.first(where: { $0.isLiteral && path.equals($0.bytes) }) { return choose(method, place, []) }
        let segments = target.segments
        for place in places where place.segments.count == segments.count {
            if let variables = variables(of: place, in: segments) { return choose(method, place, variables) }
        }
        return .none
    }

    private func choose(_ method: Method, _ place: Place, _ variables: [String]) -> Match {
        // HEAD is GET without its body (RFC 9110, 9.3.2).
        let wanted = method == .head ? .get : method
        if let route = place.routes.first(where: { $0.method == wanted }) { return .found(route, variables: variables) }
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
