import Foundation
import OssicleAVFAudio
import OssicleSpatial

/// Something registered under an identifier. Vended by the asset registry.
open class PHASEAsset: NSObject, @unchecked Sendable {
    /// How a sound's samples are kept.
    public enum AssetType: Int, Sendable {
        /// Decoded whole at registration.
        case resident = 0
        /// Read and decoded while it plays.
        case streamed = 1
    }

    /// Unique in the registry; given by the client or generated.
    public let identifier: String

    init(identifier: String) { self.identifier = identifier }
}

/// A registered sound.
open class PHASESoundAsset: PHASEAsset, @unchecked Sendable {
    /// The file; nil for a sound registered from memory.
    public let url: URL?
    /// The samples as they were given; nil for a sound registered from a file.
    public let data: Data?
    /// `.resident` for sounds registered from memory.
    public let type: PHASEAsset.AssetType
    let sound: RegisteredSound

    init(identifier: String, url: URL?, data: Data?, type: PHASEAsset.AssetType, sound: RegisteredSound) {
        (self.url, self.data, self.type, self.sound) = (url, data, type, sound)
        super.init(identifier: identifier)
    }
}

/// A registered tree of nodes: what a sound event is made from.
open class PHASESoundEventNodeAsset: PHASEAsset, @unchecked Sendable {
    let event: RegisteredEvent
    /// What the streams of the tree play, by node.
    let formats: [Int: AVAudioFormat]

    init(identifier: String, event: RegisteredEvent, formats: [Int: AVAudioFormat]) {
        self.event = event
        self.formats = formats
        super.init(identifier: identifier)
    }
}

/// A registered meta-parameter that every sound event shares.
open class PHASEGlobalMetaParameterAsset: PHASEAsset, @unchecked Sendable {
    let parameter: PHASEMetaParameter

    init(identifier: String, parameter: PHASEMetaParameter) {
        self.parameter = parameter
        super.init(identifier: identifier)
    }
}

/// An asset that is not registered any more, and whom to call when it is no longer used.
struct LeavingAsset {
    let asset: PHASEAsset
    let handler: @Sendable (Bool) -> Void
}

/// What is registered with an engine. Under the engine's lock.
final class AssetStore {
    weak var control: EngineControl?
    var assets: [String: PHASEAsset] = [:]
    var groups: [String: PHASEGroup] = [:]
    /// Assets that are unregistered and still in use.
    private var leaving: [LeavingAsset] = []
    /// The streams of every event that is not gone, started or not.
    private var streams: [WeakEventStreams] = []

    func unregister(_ identifier: String, _ handler: @escaping @Sendable (Bool) -> Void) {
        guard let asset = assets.removeValue(forKey: identifier) else {
            control?.call { handler(false) }
            return
        }
        leaving.append(LeavingAsset(asset: asset, handler: handler))
        releaseUnused()
    }

    /// Reports the assets that no started event uses any more.
    func releaseUnused() {
        guard !leaving.isEmpty, let control else { return }
        let playing = control.spatial.player.events.filter { $0.stage != .ended }
        let free = leaving.filter { leaving in !playing.contains { $0.uses(leaving.asset) } }
        leaving.removeAll { leaving in free.contains { $0.asset === leaving.asset } }
        for leaving in free { control.call { leaving.handler(true) } }
    }

    func add(_ new: EventStreams) {
        streams.removeAll { $0.streams == nil }
        streams.append(WeakEventStreams(streams: new))
    }

    /// The engine is going away: nothing of what is registered or scheduled will play.
    func forget() {
        assets = [:]
        groups = [:]
        for entry in streams { entry.streams?.stop() }
        streams = []
    }
}

extension EventInstance {
    fileprivate func uses(_ asset: PHASEAsset) -> Bool {
        switch asset {
        case let asset as PHASESoundAsset: parts.sounds.values.contains { $0 === asset.sound }
        case let asset as PHASESoundEventNodeAsset: parts.event === asset.event
        case let asset as PHASEGlobalMetaParameterAsset: parts.parameters.contains { $0 === asset.parameter.state }
        default: false
        }
    }
}
