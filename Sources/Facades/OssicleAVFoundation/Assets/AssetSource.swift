// Where an asset's bytes are.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleFiles
import Synchronization

/// A file on disk, or an address and what has been loaded from it. Shared by an asset and the items made of it; what
/// was loaded goes with the last of them. Any thread.
final class AssetSource: Sendable {
    let url: URL
    private let place: Place

    private enum Place {
        case file(String)
        case address(HTTPCache)
        case nowhere
    }

    /// Seconds to wait for a server, Apple's default.
    static let timeout: TimeInterval = 60

    init(_ url: URL, timeout: TimeInterval) {
        self.url = url
        if let path = url.localPath {
            place = .file(path)
        } else if let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host != nil {
            place = .address(HTTPCache(url, timeout: timeout))
        } else {
            place = .nowhere
        }
    }

    deinit { cache?.close() }

    /// What is loaded from an address; `nil` for a file.
    var cache: HTTPCache? {
        if case .address(let cache) = place { cache } else { nil }
    }

    /// Has waiting readers look at their flags.
    func wakeReaders() { cache?.wakeReaders() }

    /// Opens the sound; waits for an address until its header is there. Throws why it cannot be read.
    func open(_ interruption: InterruptFlag) throws(OssicleError) -> AudioFileReader {
        do throws(AudioFileError) {
            switch place {
            case .file(let path): return try AudioFileReader(path: path)
            case .address(let cache): return try open(cache, interruption)
            case .nowhere: throw AudioFileError.unreachable(url)
            }
        } catch {
            throw failure(error)
        }
    }

    private func open(_ cache: HTTPCache, _ interruption: InterruptFlag) throws(AudioFileError) -> AudioFileReader {
        do {
            return try AudioFileReader(source: HTTPBytes(cache, interruption))
        } catch let error as AudioFileError {
            guard error.kind == .unsupported else { throw error }
            // MPEG-4 is read from whole files.
            return try openWhole(cache, interruption, refusal: error)
        } catch {
            throw AudioFileError.unreachable(url)
        }
    }

    private func openWhole(
        _ cache: HTTPCache, _ interruption: InterruptFlag, refusal: AudioFileError
    ) throws(AudioFileError) -> AudioFileReader {
        var offset: Int64 = 0
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        guard let bytes = try? HTTPBytes(cache, interruption) else { throw refusal }
        while offset < bytes.byteCount {
            let count = try Result { try piece.withUnsafeMutableBytes { try bytes.read(into: $0, at: offset) } }
                .mapError { $0 as? AudioFileError ?? refusal }.get()
            guard count > 0 else { break }
            offset += Int64(count)
        }
        guard let path = cache.path else { throw refusal }
        return try AudioFileReader(path: path)
    }

    /// An error of the readers as clients know it; where a server is to blame, what it did.
    func failure(_ error: AudioFileError) -> OssicleError {
        if let network = cache?.failure { return network }
        if case .nowhere = place { return NetworkFault.noAddress(url) }
        return OssicleError(
            domain: AVAudioEngineManualRenderingError.errorDomain, code: Int(error.status),
            object: "AVAudioFile \"\(error.path)\"", value: error.found, rule: error.rule, cure: error.cure)
    }

    /// Any error of reading as clients know it.
    func translate(_ error: any Error) -> OssicleError {
        switch error {
        case let error as AudioFileError: failure(error)
        case let error as OssicleError: error
        default:
            OssicleError(
                domain: AVAudioEngineManualRenderingError.errorDomain, code: Int(kAudio_UnimplementedError),
                object: "\"\(url.absoluteString)\"", value: "\(error)", rule: "Its sound has to be readable.",
                cure: "Convert the file to another format.")
        }
    }

    /// What of a resource is there, as shares of its length; all of a file.
    var loadedShares: [Range<Double>] {
        guard let cache else { return [0..<1] }
        let (loaded, total) = cache.progress
        guard let total, total > 0 else { return [] }
        return loaded.map { Double($0.lowerBound) / Double(total)..<Double($0.upperBound) / Double(total) }
    }

    /// Whether nothing more has to come.
    var isComplete: Bool { cache?.isComplete ?? true }
}

/// One reader's view of a cache. For one thread at a time; `interrupt` from any.
final class HTTPBytes: ByteSource, @unchecked Sendable {
    let name: String
    let byteCount: Int64
    private let cache: HTTPCache
    private let isInterrupted: InterruptFlag

    /// Waits until the server has sent the length. Throws what keeps it from it.
    init(_ cache: HTTPCache, _ flag: InterruptFlag) throws {
        self.cache = cache
        isInterrupted = flag
        name = cache.url.absoluteString
        byteCount = try cache.total { flag.isSet }
    }

    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
        let end = min(offset &+ Int64(memory.count), byteCount)
        guard offset >= 0, end > offset else { return 0 }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(end - offset)])
        do {
            return try cache.read(into: wanted, at: offset) { isInterrupted.isSet }
        } catch {
            throw AudioFileError(
                .damaged, path: name, found: "byte \(offset) does not come: \(error)",
                rule: "The server has to send every byte.", cure: "Look after network and server.")
        }
    }
}

/// Ends waits of a reader: once set, until it is cleared.
final class InterruptFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool {
        get { flag.load(ordering: .acquiring) }
        set { flag.store(newValue, ordering: .releasing) }
    }
}

extension AudioFileError {
    fileprivate static func unreachable(_ url: URL) -> AudioFileError {
        AudioFileError(
            .missing, path: url.absoluteString, found: "it cannot be reached",
            rule: "Sound comes from file:, http: and https:.", cure: "Download it first.")
    }
}
