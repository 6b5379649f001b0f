/// Who may see the page: a browser on this machine that was given the address, at that address, and no other page's
/// script.
///
/// - The token is the first part of every path. It is compared in a time that does not depend on where it differs.
/// - Host names the loopback interface and the port: a foreign name that resolves to it (DNS rebinding) is refused.
/// - Origin, and Sec-Fetch-Site where it is sent, are the page's own. A WebSocket has to have an Origin: browsers let
///   any page open one to anywhere, and do not hide the answer.
package struct AccessRules {
    package let token: String
    package let port: UInt16

    package init(token: String, port: UInt16) { (self.token, self.port) = (token, port) }

    /// 128 random bits.
    package static func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// What a request asks for, behind the token: "" for the page.
    func resource(of head: RequestHead) throws(RequestFault) -> String {
        guard let host = try head.field("host"), hosts.contains(host.lowercased()) else { throw RequestFault(403) }
        if let origin = try head.field("origin"), !isOwn(origin) { throw RequestFault(403) }
        if let site = try head.field("sec-fetch-site"), site != "same-origin", site != "none" {
            throw RequestFault(403)
        }
        // Nothing is sent to here.
        if let length = try head.field("content-length"), length != "0" { throw RequestFault(413) }
        guard try head.field("transfer-encoding") == nil else { throw RequestFault(413) }
        let parts = head.path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let given = parts.first, isToken(given), parts.count == 2 else { throw RequestFault(403) }
        guard head.method == "GET" else { throw RequestFault(405) }
        return String(parts[1])
    }

    /// The key of a request that becomes a WebSocket (RFC 6455, 4.2.1).
    func webSocketKey(of head: RequestHead) throws(RequestFault) -> String {
        guard let origin = try head.field("origin"), isOwn(origin) else { throw RequestFault(403) }
        guard try head.field("upgrade")?.lowercased() == "websocket",
            let connection = try head.field("connection")?.lowercased(),
            connection.split(whereSeparator: { $0 == "," || $0 == " " }).contains("upgrade"),
            try head.field("sec-websocket-version") == "13", let key = try head.field("sec-websocket-key"),
            key.utf8.count == 24, key.hasSuffix("==")
        else { throw RequestFault(426) }
        return key
    }

    private func isOwn(_ origin: String) -> Bool { hosts.contains { "http://" + $0 == origin.lowercased() } }

    /// Looks at every byte, whatever was given.
    private func isToken(_ given: Substring) -> Bool {
        let (own, given) = (Array(token.utf8), Array(given.utf8))
        var difference = own.count ^ given.count
        for place in own.indices { difference |= Int(own[place] ^ (given.isEmpty ? 0 : given[place % given.count])) }
        return difference == 0
    }
}
