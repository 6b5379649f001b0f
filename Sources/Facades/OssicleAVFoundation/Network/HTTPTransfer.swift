// One request, and what comes back.

import CCurl
import Foundation

/// What a server sends ahead of the bytes.
struct HTTPReply: Sendable {
    var status = 0
    /// The byte of the resource that comes first.
    var start: Int64 = 0
    /// Length of the resource; `nil` where the server does not send it.
    var total: Int64?
    /// Whether the server sends a part, from `start` on.
    var isPartial: Bool { status == 206 }
}

/// Gets a resource from one byte on. Blocks its thread; libcurl calls back on the same.
final class HTTPTransfer {
    /// How it ended.
    enum Outcome {
        /// The server has sent all it announced.
        case complete
        /// One of the closures did not want any more.
        case unwanted
        /// libcurl's result, or 0 and the server's status.
        case failed(result: Int32, status: Int)
    }

    private let url: URL
    private let offset: Int64
    private let timeout: TimeInterval
    private let onReply: (HTTPReply) -> Bool
    private let onBytes: (UnsafeRawBufferPointer) -> Bool
    private let isWanted: () -> Bool
    private var reply = HTTPReply()
    private var contentLength: Int64?
    private var contentRange: (start: Int64, total: Int64?)?
    private var isAnnounced = false
    private var wasStopped = false
    private var isTooLate = false
    private var lastArrival = DispatchTime.now().uptimeNanoseconds
    private var status = 0

    /// - Parameters:
    ///   - timeout: seconds to connect, and seconds without a byte, after which it fails.
    ///   - onReply: takes what the server sends; false ends the transfer.
    ///   - onBytes: takes bytes in order; false ends the transfer.
    ///   - isWanted: called about once in a second; false ends the transfer.
    init(
        _ url: URL, from offset: Int64, timeout: TimeInterval, onReply: @escaping (HTTPReply) -> Bool,
        onBytes: @escaping (UnsafeRawBufferPointer) -> Bool, isWanted: @escaping () -> Bool
    ) {
        self.url = url
        self.offset = offset
        self.timeout = timeout
        self.onReply = onReply
        self.onBytes = onBytes
        self.isWanted = isWanted
    }

    /// Sends the request and returns when everything has come, or no more will.
    func run(_ curl: CurlLibrary) -> Outcome {
        guard let handle = curl.makeHandle() else { return .failed(result: Self.outOfMemory, status: 0) }
        defer { curl.freeHandle(handle) }
        let headers = curl.append(nil, "Range: bytes=\(offset)-")
        defer { curl.freeList(headers) }
        setUp(curl, handle, headers)
        let result = curl.perform(handle)
        if wasStopped { return .unwanted }
        if isTooLate { return .failed(result: Self.timedOut, status: status) }
        if status >= 300, result != Self.tooManyRedirects { return .failed(result: 0, status: status) }
        return result == 0 ? .complete : .failed(result: result, status: status)
    }

    private static let outOfMemory: Int32 = 27, timedOut: Int32 = 28, tooManyRedirects: Int32 = 47

    private func setUp(
        _ curl: CurlLibrary, _ handle: UnsafeMutableRawPointer, _ headers: UnsafeMutableRawPointer?
    ) {
        let set = curl.setOption, me = Unmanaged.passUnretained(self).toOpaque()
        func number(_ option: Int32, _ value: Int) { _ = curl_set_number(set, handle, option, value) }
        func pointer(_ option: Int32, _ value: UnsafeRawPointer?) { _ = curl_set_pointer(set, handle, option, value) }
        url.absoluteString.withCString { pointer(CurlOption.url, $0) }
        "Ossicle".withCString { pointer(CurlOption.userAgent, $0) }
        pointer(CurlOption.headers, headers)
        number(CurlOption.noSignals, 1)
        number(CurlOption.protocols, CurlOption.web)
        number(CurlOption.redirectProtocols, CurlOption.web)
        number(CurlOption.followsRedirects, 1)
        number(CurlOption.mostRedirects, 16)
        let seconds = max(1, Int(min(timeout, 3600).rounded(.up)))
        number(CurlOption.connectTimeout, seconds)
        number(CurlOption.hidesProgress, 0)
        pointer(CurlOption.receiver, me)
        pointer(CurlOption.headerReceiver, me)
        pointer(CurlOption.watcher, me)
        _ = curl_set_receiver(set, handle, CurlOption.writeFunction) { bytes, size, count, receiver in
            HTTPTransfer.of(receiver)?.take(bytes, size &* count) ?? 0
        }
        _ = curl_set_receiver(set, handle, CurlOption.headerFunction) { bytes, size, count, receiver in
            HTTPTransfer.of(receiver)?.takeHeader(bytes, size &* count) ?? 0
        }
        _ = curl_set_watcher(set, handle, CurlOption.watchFunction) { watcher, _, _, _, _ in
            HTTPTransfer.of(watcher)?.watch() ?? 1
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        pointer.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch() -> Int32 {
        if !isWanted() { wasStopped = true }
        isTooLate = Double(DispatchTime.now().uptimeNanoseconds &- lastArrival) * 1e-9 > timeout
        return wasStopped || isTooLate ? 1 : 0
    }

    private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        lastArrival = DispatchTime.now().uptimeNanoseconds
        // The text that comes with a refusal is no sound.
        guard status < 300 else { return count }
        if !isAnnounced {
            isAnnounced = true
            guard onReply(announcement) else { return stop() }
        }
        return onBytes(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : stop()
    }

    private func stop() -> Int {
        wasStopped = true
        return 0
    }

    private var announcement: HTTPReply {
        var reply = HTTPReply(status: status)
        if status == 206 {
            reply.start = contentRange?.start ?? offset
            reply.total = contentRange?.total ?? contentLength.map { offset &+ min($0, .max - offset) }
        } else {
            reply.total = contentLength
        }
        return reply
    }

    /// One line of a header; each answer of a chain of redirects begins with its status.
    private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            contentLength = nil
            contentRange = nil
            return count
        }
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return count }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        switch parts[0].lowercased() {
        case "content-length": contentLength = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
        case "content-range": contentRange = Self.range(value)
        default: break
        }
        return count
    }

    /// "bytes 100-199/1000"
    private static func range(_ text: String) -> (start: Int64, total: Int64?)? {
        let parts = text.dropFirst(text.hasPrefix("bytes ") ? 6 : 0).split(separator: "/")
        guard let start = parts.first?.split(separator: "-").first.flatMap({ Int64($0) }), start >= 0 else {
            return nil
        }
        return (start, parts.count > 1 ? Int64(parts[1]).flatMap { $0 >= 0 ? $0 : nil } : nil)
    }
}
