@_exported public import OssicleInspection
import Dispatch
import Foundation
import OssicleMessages
import OssicleWebServer
import Synchronization

/// Serves a page that shows engines while they play: the scene or the graph, levels, paths, what makes each voice's
/// level, load.
///
///     engine.inspector = try Inspector()
///
/// prints an address for a browser on this machine. The page is in the program; nothing is read from disk, nothing is
/// fetched from elsewhere, and only who has the address sees it (`AccessRules`). Engines are looked at thirty times a
/// second while a page is open, and not at all while none is. One inspector may watch several engines. Any thread.
public final class Inspector: EngineInspector {
    /// Of the page, with its token.
    public let address: String
    private let server: LiveServer
    private let watch: Watch

    /// - Parameters:
    ///   - port: of 127.0.0.1; 0, the default, for one that is free.
    ///   - updatesPerSecond: 1…60.
    ///   - announce: receives the address; by default (nil) it goes to standard error.
    /// - Throws: where the port is taken.
    public init(
        port: UInt16 = 0, updatesPerSecond: Int = 30,
        announce: ((String) -> Void)? = nil
    ) throws(InspectorError) {
        do { server = try LiveServer(port: port) } catch { throw InspectorError(error) }
        let rules = AccessRules(token: AccessRules.newToken(), port: server.port)
        address = "http://127.0.0.1:\(server.port)/\(rules.token)/"
        watch = Watch(server, updatesPerSecond: min(max(updatesPerSecond, 1), 60))
        server.start(rules, resource: Page.resource) { [watch] event in watch.receive(event) }
        if let announce { announce(address) } else { StandardError.write("Live view: \(address)\n") }
    }

    deinit { stop() }

    /// Ends the view. The engines play on.
    public func stop() {
        watch.stop()
        server.stop()
    }

    /// Pages that are open.
    public var viewerCount: Int { watch.viewerCount }

    /// Of its looks, since a page is open.
    var pace: Pace { watch.pace }

    public func begin(_ engine: any InspectedEngine) { watch.add(engine) }

    public func end(_ engine: any InspectedEngine) { watch.remove(engine) }
}

/// The view cannot be served.
public struct InspectorError: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String

    init(_ fault: SocketFault) {
        description =
            "The live view cannot be served at 127.0.0.1:\(fault.port) (\(fault.reason)): give another port, or 0 for one that is free."
    }
}
