// Sound files as assets: how long, and what they say about themselves.

import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleFiles

/// A sound file, on disk or at an HTTP address. Facts are read once, when one is first needed; an address is loaded as
/// far as that requires, and properties wait for it. Any thread.
open class AVAsset: NSObject, NSCopying, @unchecked Sendable {
    let source: AssetSource
    private let lock = NSLock()
    private var facts: Result<AssetFacts, OssicleError>?
    private let interruption = InterruptFlag()

    /// The file at `url`; whether it is there shows when the first fact is read.
    public convenience init(url: URL) { self.init(AssetSource(url, timeout: AssetSource.timeout)) }

    init(_ source: AssetSource) {
        self.source = source
        super.init()
    }

    /// The asset itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Length; `.invalid` when the file cannot be read.
    open var duration: CMTime { (try? read().duration) ?? .invalid }

    /// Title, artist and the like; empty when the file says nothing, or cannot be read.
    open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// All the file says about itself.
    open var metadata: [AVMetadataItem] { (try? read().items) ?? [] }

    /// Whether there is sound to play.
    open var isPlayable: Bool { (try? read()) != nil }

    /// The track of sound; none when the file cannot be read.
    open var tracks: [AVAssetTrack] { (try? read()) == nil ? [] : [AVAssetTrack(of: self)] }

    /// Loads a fact away from the caller's thread: `.duration`, `.commonMetadata`, `.metadata`, `.isPlayable`,
    /// `.tracks`. Throws why the file cannot be read.
    public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Self.loading.async { [self] in
                continuation.resume(
                    with: Result {
                        _ = try read()
                        return property.value(self)
                    })
            }
        }
    }

    /// Loads two facts.
    public func load<A: Sendable, B: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>
    ) async throws -> (A, B) {
        (try await load(a), try await load(b))
    }

    /// Loads the tracks of a kind. Throws why the file cannot be read.
    @discardableResult
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.mediaType == mediaType }
    }

    /// Ends waiting for facts of an address; those that wait throw. What plays goes on.
    open func cancelLoading() {
        interruption.isSet = true
        source.wakeReaders()
    }

    private static let loading = DispatchQueue(label: "ossicle.assets", qos: .userInitiated, attributes: .concurrent)

    private func read() throws -> AssetFacts {
        try lock.withLock {
            if let facts { return try facts.get() }
            let read = AssetFacts.read(source, interruption)
            facts = read
            return try read.get()
        }
    }
}

/// A sound file by its location.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Where the file is.
    public let url: URL

    /// The file at `url`. Of the options the addition `AVURLAssetTimeoutKey` changes something; Apple's are for video,
    /// and times are always exact.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        let seconds = (options?[AVURLAssetTimeoutKey] as? NSNumber)?.doubleValue ?? AssetSource.timeout
        super.init(AssetSource(url, timeout: seconds.isNaN ? AssetSource.timeout : max(seconds, 1)))
    }
}

/// Whether duration and times are exact; a `Bool`. Kept without effect: they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"

/// What is kept of a file.
private struct AssetFacts {
    let duration: CMTime
    let items: [AVMetadataItem]

    static func read(_ source: AssetSource, _ interruption: InterruptFlag) -> Result<AssetFacts, OssicleError> {
        do throws(OssicleError) {
            let reader = try source.open(interruption)
            return .success(
                AssetFacts(
                    duration: CMTime(frame: reader.info.frameCount, rate: reader.info.sampleRate),
                    items: AVMetadataItem.items(reader.metadata)))
        } catch {
            return .failure(error)
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

extension AVAsyncProperty where Root == AVAsset, Value == [AVAssetTrack] {
    /// The tracks.
    public static var tracks: Self { Self { $0.tracks } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
    /// Whether there is sound to play.
    public static var isPlayable: Self { Self { $0.isPlayable } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == String? {
    /// The text of an item.
    public static var stringValue: Self { Self { $0.stringValue } }
}
