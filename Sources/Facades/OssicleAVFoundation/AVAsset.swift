// Sound files as assets: how long, and what they say about themselves.

import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleFiles

/// A sound file seen from outside. Facts are read when first asked for, and kept. Any thread.
open class AVAsset: NSObject, @unchecked Sendable {
    private let location: URL
    private let lock = NSLock()
    private var facts: Result<AssetFacts, OssicleError>?

    /// The file at `url`; whether it is there shows when something is asked.
    public init(url: URL) {
        location = url
        super.init()
    }

    /// Length; `.invalid` when the file cannot be read.
    open var duration: CMTime { (try? read().duration) ?? .invalid }

    /// Title, artist and the like; empty when the file says nothing, or cannot be read.
    open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// All the file says about itself.
    open var metadata: [AVMetadataItem] { (try? read().items) ?? [] }

    /// Whether there is sound to play.
    open var isPlayable: Bool { (try? read()) != nil }

    /// Loads a fact away from the caller's thread: `.duration`, `.commonMetadata`, `.metadata`, `.isPlayable`. Throws
    /// why the file cannot be read.
    public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
        try await Task.detached { [self] in
            _ = try read()
            return property.value(self)
        }.value
    }

    /// Loads two facts.
    public func load<A: Sendable, B: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>
    ) async throws -> (A, B) {
        (try await load(a), try await load(b))
    }

    private func read() throws -> AssetFacts {
        try lock.withLock {
            if let facts { return try facts.get() }
            let read = AssetFacts.read(location)
            facts = read
            return try read.get()
        }
    }
}

/// A sound file seen from outside, by its location.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Where the file is.
    public let url: URL

    /// The file at `url`. Options are Apple's for streams and video; none changes anything here.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(url: url)
    }
}

/// What is kept of a file.
private struct AssetFacts {
    let duration: CMTime
    let items: [AVMetadataItem]
    /// AVFAudio's, which reads the files.
    private static let errorDomain = AVAudioEngineManualRenderingError.errorDomain

    static func read(_ url: URL) -> Result<AssetFacts, OssicleError> {
        guard let path = url.localPath else {
            return .failure(
                OssicleError(
                    domain: Self.errorDomain, code: Int(kAudio_BadFilePathError),
                    object: "AVAsset \"\(url.absoluteString)\"", value: "it is no file URL",
                    rule: "Assets are read from disk.",
                    cure: "Download it first and use URL(fileURLWithPath:)."))
        }
        do throws(AudioFileError) {
            let reader = try AudioFileReader(path: path)
            let scale = CMTimeScale(exactly: reader.info.sampleRate.rounded()) ?? 0
            return .success(
                AssetFacts(
                    duration: CMTime(value: reader.info.frameCount, timescale: scale),
                    items: AVMetadataItem.items(reader.metadata)))
        } catch {
            return .failure(
                OssicleError(
                    domain: Self.errorDomain, code: Int(error.status), object: "AVAudioFile \"\(error.path)\"",
                    value: error.found, rule: error.rule, cure: error.cure))
        }
    }
}

/// Names a fact to be loaded by `load(_:)`.
public struct AVAsyncProperty<Root: AnyObject, Value>: Sendable {
    let value: @Sendable (Root) -> Value
}

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
    /// Length.
    public static var duration: Self { Self { $0.duration } }
}

extension AVAsyncProperty where Root == AVAsset, Value == [AVMetadataItem] {
    /// Title, artist and the like.
    public static var commonMetadata: Self { Self { $0.commonMetadata } }
    /// All the file says about itself.
    public static var metadata: Self { Self { $0.metadata } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
    /// Whether there is sound to play.
    public static var isPlayable: Self { Self { $0.isPlayable } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == String? {
    /// The text of an item.
    public static var stringValue: Self { Self { $0.stringValue } }
}
