// A resource of a server as a file that fills.

import Foundation
import OssicleCoreAudioTypes
import OssicleFiles

/// The bytes of one address, kept in a file without a name as they come, so that memory stays bounded whatever comes.
///
///     readers ──▶ demands ──▶ one transfer at a time, from the byte that is wanted first ──▶ file ──▶ readers
///
/// A connection that breaks is resumed where it broke, by a range, or from the beginning where the server has none;
/// three times without a new byte is a failure, and so is a server that stays silent twice. Any thread.
final class HTTPCache: @unchecked Sendable {
    let url: URL
    private let timeout: TimeInterval
    private let condition = NSCondition()
    private let queue = DispatchQueue(label: "ossicle.http", qos: .userInitiated)

    // Under the condition's lock.
    private var file: CacheFile?
    private var known = Known()
    private var demands: [Demand] = []
    private var isServing = false
    private var isClosed = false

    private struct Known {
        var total: Int64?
        var loaded = ByteRanges()
        var hasRanges: Bool?
        /// Where the transfer that runs writes next.
        var position: Int64 = 0
        var failure: OssicleError?
    }

    private struct Demand {
        let number: Int
        let range: Range<Int64>
    }
    private var lastNumber = 0

    /// Tries without a new byte, after which a resource counts as broken.
    private static let tries = 3
    /// How far ahead of a transfer a wanted byte may be for it to be waited for.
    private static let patience: Int64 = 1 << 18
    /// The largest resource of unknown length, and of a length that the server sends: 1 GiB and 1 TiB.
    private static let most: Int64 = 1 << 30, mostAnnounced: Int64 = 1 << 40

    init(_ url: URL, timeout: TimeInterval) {
        self.url = url
        self.timeout = timeout
    }

    // MARK: For readers

    /// Bytes of the resource; waits until the server has sent their number. Throws what keeps it from it.
    func total(_ isInterrupted: () -> Bool) throws -> Int64 {
        try wait(for: 0..<1, isInterrupted)
        return condition.withLock { known.total ?? 0 }
    }

    /// Waits until the bytes of `range` are there, as far as the resource goes, and returns how many of them. Throws
    /// what keeps them from coming, and `CancellationError` when interrupted.
    func read(
        into memory: UnsafeMutableRawBufferPointer, at offset: Int64, _ isInterrupted: () -> Bool
    ) throws -> Int {
        guard offset >= 0, let (end, _) = Optional(offset.addingReportingOverflow(Int64(memory.count))), end > offset
        else { return 0 }
        try wait(for: offset..<end, isInterrupted)
        let file = condition.withLock { self.file }
        return file?.read(into: memory, at: offset) ?? 0
    }

    /// Has waiting readers look whether they are interrupted.
    func wakeReaders() {
        condition.withLock { condition.broadcast() }
    }

    /// No more is needed: the transfer ends and the file goes.
    func close() {
        condition.withLock {
            isClosed = true
            known.failure =
                known.failure
                ?? NetworkFault.error(
                    url, NSURLErrorCancelled, "loading was cancelled", rule: "A cancelled asset loads no more.",
                    cure: "Make a new asset.")
            condition.broadcast()
        }
    }

    /// What is there, of how much.
    var progress: (loaded: [Range<Int64>], total: Int64?) {
        condition.withLock { (known.loaded.ranges, known.total) }
    }

    /// Whether everything is there.
    var isComplete: Bool { condition.withLock { hasEverything } }

    /// Why no more comes.
    var failure: OssicleError? { condition.withLock { known.failure } }

    /// A path by which the file can be opened while this object lives; `nil` before it is complete.
    var path: String? { condition.withLock { hasEverything ? file?.path : nil } }

    private var hasEverything: Bool {
        known.total.map { known.loaded.contains(0..<max($0, 1)) || $0 == 0 } ?? false
    }

    private func wait(for range: Range<Int64>, _ isInterrupted: () -> Bool) throws {
        condition.lock()
        defer { condition.unlock() }
        lastNumber += 1
        let demand = Demand(number: lastNumber, range: range)
        demands.append(demand)
        defer { demands.removeAll { $0.number == demand.number } }
        while !isThere(range) {
            if let failure = known.failure { throw failure }
            if isInterrupted() { throw CancellationError() }
            serveIfNeeded()
            condition.wait()
        }
    }

    private func isThere(_ range: Range<Int64>) -> Bool {
        guard let total = known.total else { return false }
        let end = min(range.upperBound, total)
        return range.lowerBound >= end || known.loaded.contains(range.lowerBound..<end)
    }

    // MARK: The transfer

    private func serveIfNeeded() {
        guard !isServing else { return }
        isServing = true
        queue.async { [self] in serve() }
    }

    /// Transfers until everything is there, no more is needed, or nothing more comes.
    private func serve() {
        guard let curl = CurlLibrary.shared else { return fail(NetworkFault.noLibrary(url)) }
        var attempts = 0
        while let offset = nextOffset() {
            let before = condition.withLock { known.loaded.count }
            let outcome = transfer(from: offset, curl)
            let (isNew, position) = condition.withLock { (known.loaded.count > before, known.position) }
            switch outcome {
            case .unwanted: attempts = 0
            case .complete where condition.withLock({ noteEnd() }): attempts = 0
            case .complete, .failed:
                attempts = isNew ? 0 : attempts + 1
                if attempts >= Self.tries || isFinal(outcome, isNew) {
                    return fail(NetworkFault.of(outcome, url, at: position, library: curl))
                }
                // A server that refuses at once gets the next request a moment later.
                if !isNew { condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.2)) } }
            }
        }
    }

    /// Whether another try is of no use: the server has refused or stays silent, or there is no such address.
    private func isFinal(_ outcome: HTTPTransfer.Outcome, _ isNew: Bool) -> Bool {
        guard case .failed(let result, let status) = outcome else { return false }
        if result == 28 { return !isNew }
        return result == 0 ? (400..<500).contains(status) : [1, 3, 6, 47, 51, 60].contains(result)
    }

    /// A transfer came to its end: whether that is all. A resource of unknown length ends here.
    private func noteEnd() -> Bool {
        if known.total == nil { known.total = known.position }
        condition.broadcast()
        return known.total.map { known.position >= $0 } ?? false
    }

    private func fail(_ error: OssicleError) {
        condition.withLock {
            known.failure = known.failure ?? error
            isServing = false
            condition.broadcast()
        }
    }

    /// The byte to begin with: what is wanted first, else the first gap. `nil` when there is nothing to do.
    private func nextOffset() -> Int64? {
        condition.withLock {
            let next: Int64? =
                isClosed || known.failure != nil || hasEverything
                ? nil : wanted.map { known.loaded.firstMissing(from: $0) } ?? known.loaded.firstMissing(from: 0)
            isServing = next != nil
            return next.map { known.hasRanges == false ? 0 : $0 }
        }
    }

    /// Where the oldest demand that waits begins.
    private var wanted: Int64? {
        demands.first { !isThere($0.range) }.map { min($0.range.lowerBound, max((known.total ?? 1) - 1, 0)) }
    }

    private func transfer(from offset: Int64, _ curl: CurlLibrary) -> HTTPTransfer.Outcome {
        condition.withLock { known.position = offset }
        return HTTPTransfer(
            url, from: offset, timeout: timeout, onReply: { self.take($0) }, onBytes: { self.take($0) },
            isWanted: { self.condition.withLock { self.isStillWanted } }
        ).run(curl)
    }

    private func take(_ reply: HTTPReply) -> Bool {
        condition.withLock {
            defer { condition.broadcast() }
            known.hasRanges = reply.isPartial
            if reply.isPartial, reply.start != known.position {
                known.failure = NetworkFault.otherBytes(url, wanted: known.position, sent: reply.start)
            } else if let old = known.total, let new = reply.total, old != new {
                known.failure = NetworkFault.changed(url, from: old, to: new)
            } else if let new = reply.total, new > Self.mostAnnounced {
                known.failure = NetworkFault.endless(url, most: Self.mostAnnounced)
            } else {
                known.position = reply.start
                known.total = known.total ?? reply.total
            }
            return known.failure == nil
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (start, file) = condition.withLock { (known.position, openFile()) }
        if let problem = file?.write(bytes, at: start) ?? (file == nil ? CacheFile.reason() : nil) {
            condition.withLock { known.failure = NetworkFault.diskFull(url, problem) }
            return false
        }
        return condition.withLock {
            known.position = start + Int64(bytes.count)
            // More than was announced belongs to nothing.
            let end = min(known.position, known.total ?? .max)
            if start < end { known.loaded.insert(start..<end) }
            if known.total == nil, known.position > Self.most {
                known.failure = NetworkFault.endless(url, most: Self.most)
            }
            condition.broadcast()
            return isStillWanted
        }
    }

    private func openFile() -> CacheFile? {
        file = file ?? CacheFile()
        return file
    }

    /// Whether the transfer brings what is wanted, soon enough and not twice.
    private var isStillWanted: Bool {
        guard !isClosed, known.failure == nil, !hasEverything else { return false }
        guard known.hasRanges == true else { return true }
        if let wanted {
            let missing = known.loaded.firstMissing(from: wanted)
            return missing >= known.position && missing - known.position <= Self.patience
        }
        return known.loaded.firstMissing(from: known.position) == known.position
    }
}
