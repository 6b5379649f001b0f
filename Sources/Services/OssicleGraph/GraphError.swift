/// What can be wrong with a graph. The graph that was running goes on.
package enum GraphError: Error, Equatable, CustomStringConvertible {
    case noOutput
    case cycle(through: String)
    case unknownPort(node: String, port: Int)
    case channelMismatch(from: String, channels: Int, to: String, expects: Int)

    package var description: String {
        switch self {
        case .noOutput:
            "The graph has no output; set `output` to the port that is to be heard."
        case .cycle(let node):
            "The graph feeds “\(node)” with its own output; a cycle cannot be ordered. Remove one of its connections."
        case .unknownPort(let node, let port):
            "“\(node)” has no port \(port); connect to one it has."
        case .channelMismatch(let from, let channels, let to, let expects):
            "“\(from)” gives \(channels) channels, “\(to)” takes \(expects); put a channel mixer between them."
        }
    }
}
