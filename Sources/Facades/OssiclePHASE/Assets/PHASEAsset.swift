import Foundation

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

    init(identifier: String, event: RegisteredEvent) {
        self.event = event
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
