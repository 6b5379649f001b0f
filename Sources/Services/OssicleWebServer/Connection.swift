/// What one client's bytes lead to. A value without a socket: bytes in, what is to be done out.
package struct Connection {
    package enum Effect: Equatable {
        case send([UInt8])
        /// It is a WebSocket from now on.
        case opened
        case message(String)
        case bytes([UInt8])
        /// After what is to be sent.
        case close
    }

    /// A file of the page.
    package struct Resource {
        let type: String
        let bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
    }

    private enum Stage {
        case head([UInt8])
        case webSocket(WebSocketReader)
        case over
    }

    private let rules: AccessRules
    private let takesBytes: Bool
    private let resource: (String) -> Resource?
    private var stage = Stage.head([])
    /// How many messages may come now, and as of which second.
    private var allowance = (messages: Double(mostMessages), at: 0.0)

    static let messagesPerSecond = 200
    /// So many come together from a page that sends sound, on a machine that stood still for some seconds.
    static let mostMessages = 1000

    package init(
        _ rules: AccessRules, takesBytes: Bool = false, resource: @escaping (String) -> Resource?
    ) {
        (self.rules, self.takesBytes, self.resource) = (rules, takesBytes, resource)
    }

    /// Whether it has become a WebSocket, though that may be over by now.
    private(set) var wasOpened = false

    var isWebSocket: Bool { if case .webSocket = stage { true } else { false } }

    /// - Parameter now: seconds of a steady clock.
    mutating func receive(_ bytes: some Collection<UInt8>, at now: Double) -> [Effect] {
        switch stage {
        case .head(let before): head(before + bytes, at: now)
        case .webSocket(var reader): frames(&reader, bytes, at: now)
        case .over: []
        }
    }

    // MARK: HTTP

    private mutating func head(_ bytes: [UInt8], at now: Double) -> [Effect] {
        do throws(RequestFault) {
            guard let length = try RequestHead.length(in: bytes) else {
                stage = .head(bytes)
                return []
            }
            let head = try RequestHead(bytes[..<length])
            let name = try rules.resource(of: head)
            guard name == "live" else {
                guard let found = resource(name) else { throw RequestFault(404) }
                stage = .over
                return [.send(Self.answer("200 OK", found.type, found.bytes)), .close]
            }
            let key = try rules.webSocketKey(of: head)
            stage = .webSocket(WebSocketReader(takesBytes: takesBytes))
            wasOpened = true
            let answer =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketAccept.answer(to: key))\r\n\r\n"
            return [.send(Array(answer.utf8)), .opened] + receive(bytes[length...], at: now)
        } catch {
            stage = .over
            let text = "\(error.status) \(error.reason)"
            return [.send(Self.answer(text, "text/plain; charset=utf-8", Array((text + "\n").utf8))), .close]
        }
    }

    /// Each answer is the last on its connection.
    private static func answer(_ status: String, _ type: String, _ body: [UInt8]) -> [UInt8] {
        let fields = [
            "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.count)", "Connection: close",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        return Array((fields.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    // MARK: WebSocket

    private mutating func frames(
        _ reader: inout WebSocketReader, _ bytes: some Collection<UInt8>, at now: Double
    ) -> [Effect] {
        do throws(WebSocketFault) {
            var effects: [Effect] = []
            for event in try reader.receive(bytes) {
                switch event {
                case .text(let text):
                    try count(at: now)
                    effects.append(.message(text))
                case .bytes(let bytes):
                    try count(at: now)
                    effects.append(.bytes(bytes))
                case .ping(let payload):
                    try count(at: now)
                    effects.append(.send(WebSocketFrame.pong(payload)))
                case .close:
                    stage = .over
                    return effects + [.send(WebSocketFrame.close(1000)), .close]
                }
            }
            stage = .webSocket(reader)
            return effects
        } catch {
            stage = .over
            return [.send(WebSocketFrame.close(error.rawValue)), .close]
        }
    }

    private mutating func count(at now: Double) throws(WebSocketFault) {
        let more = max(now - allowance.at, 0) * Double(Self.messagesPerSecond)
        allowance = (min(allowance.messages + more, Double(Self.mostMessages)) - 1, now)
        guard allowance.messages >= 0 else { throw .tooMany }
    }
}
