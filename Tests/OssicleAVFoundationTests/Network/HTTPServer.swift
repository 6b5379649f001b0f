import Foundation
import OssicleTestSupport
import Synchronization

/// An HTTP server on this machine that does what a test wants of it, one connection for each request.
final class HTTPServer: @unchecked Sendable {
    /// What a server makes of a request.
    struct Answer: Sendable {
        var status = 200
        /// Lines of the header besides the status, without `Content-Length`.
        var headers: [String] = []
        /// Announced length; `nil` to announce none.
        var length: Int?
        /// What is sent.
        var body: ArraySlice<UInt8> = []
        /// The connection is cut after so many bytes of the body.
        var cut: Int?
        /// After so many bytes of the body the server waits for the gate.
        var stall: Int?
        /// Sent in place of status and header lines.
        var head: String?
        /// So many bytes of the body at a time, 10 ms apart.
        var drip: Int?
        /// How often the body is sent, one after the other.
        var repeats = 1
        /// The connection is closed without an answer.
        var hangsUp = false
    }

    /// A request: its number from 0 on, its path, and the first byte that it asks for.
    struct Request: Sendable {
        let number: Int
        let path: String
        let start: Int?
    }

    private let listener: Int32
    private let answer: @Sendable (Request) -> Answer
    private let gate = DispatchSemaphore(value: 0)
    private let log = Notes<Request>()
    private let count = Atomic(0)
    let port: UInt16

    struct Failure: Error { let call: String }

    init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw Failure(call: "socket") }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: name.sin_port)
        guard isBound else { throw Failure(call: "bind") }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    close(client)
                    return
                }
                let work = DispatchWorkItem { self.serve(client) }
                DispatchQueue.global().async(execute: work)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// A server of one resource.
    /// - Parameters:
    ///   - hasRanges: whether it sends parts.
    ///   - announced: the length it tells; the truth for `nil`.
    ///   - edit: changes the answer to a request.
    convenience init(
        _ bytes: [UInt8], hasRanges: Bool = true, announced: Int? = nil,
        _ edit: @escaping @Sendable (Request, inout Answer) -> Void = { _, _ in }
    ) throws {
        try self.init { request in
            var answer = Answer()
            let total = announced ?? bytes.count
            if hasRanges, let start = request.start {
                if start < bytes.count {
                    answer.status = 206
                    answer.headers = ["Content-Range: bytes \(start)-\(total - 1)/\(total)"]
                    answer.body = bytes[start...]
                    answer.length = total - start
                } else {
                    answer.status = 416
                    answer.length = 0
                }
            } else {
                answer.body = bytes[...]
                answer.length = total
            }
            edit(request, &answer)
            return answer
        }
    }

    /// The requests so far.
    var requests: [Request] { log.all }

    /// Lets answers go on that wait.
    func release() { for _ in 0..<100 { gate.signal() } }

    func url(_ path: String = "a.wav") throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw Failure(call: "url") }
        return url
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let request = read(client) else { return }
        log.add(request)
        let answer = answer(request)
        if answer.hangsUp { return }
        var head = "HTTP/1.1 \(answer.status) Answer\r\nConnection: close\r\n"
        if let length = answer.length { head += "Content-Length: \(length)\r\n" }
        for line in answer.headers { head += line + "\r\n" }
        guard send(client, Array((answer.head ?? head + "\r\n").utf8)[...]) else { return }
        let end = min(answer.cut ?? .max, answer.body.count), stall = min(answer.stall ?? .max, end)
        var first = answer.body.prefix(stall)
        while let drip = answer.drip, first.count > drip {
            guard send(client, first.prefix(drip)) else { return }
            first = first.dropFirst(drip)
            usleep(10_000)
        }
        for _ in 0..<answer.repeats { guard send(client, first) else { return } }
        if stall < end {
            gate.wait()
            _ = send(client, answer.body.prefix(end).dropFirst(stall))
        }
        shutdown(client, Int32(SHUT_WR))
    }

    private func read(_ client: Int32) -> Request? {
        var bytes: [UInt8] = [], piece = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(client, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece.prefix(count)
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }?.dropFirst(13).split(separator: "-")
            .first
        return Request(
            number: count.wrappingAdd(1, ordering: .relaxed).oldValue,
            path: lines[0].components(separatedBy: " ").dropFirst().first ?? "", start: range.flatMap { Int($0) })
    }

    private func send(_ client: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
