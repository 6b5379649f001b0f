import Foundation
import OssicleAVFAudio
import OssicleFiles
import OssicleRecording
import OssicleSoundEvents
import OssicleSpatial

/// The engine's sounds, sound events and shared meta-parameters, by identifier: one name space for all.
///
/// Registering is synchronous: when a call returns, the asset is there or an error was thrown. Any thread.
open class PHASEAssetRegistry: NSObject, @unchecked Sendable {
    private let control: EngineControl
    private var generatedCount = 0

    init(control: EngineControl) { self.control = control }

    // MARK: Register

    /// Registers a sound file.
    ///
    /// - Parameters:
    ///   - url: a local sound file of any format that `AVAudioFile` reads.
    ///   - identifier: unique; nil generates one.
    ///   - assetType: `.resident` decodes it now, `.streamed` while it plays.
    ///   - channelLayout: may be nil for mono and stereo, and where the file has a layout (which wins). Its channel
    ///     count has to be the file's.
    ///   - normalizationMode: `.dynamic` brings every sound to −23 LUFS (BS.1770), by ±24 dB at most and never above −1
    ///     dBTP.
    /// - Throws: `PHASEAssetError` `.alreadyExists`, `.failedToLoad` or `.badParameters`.
    @discardableResult
    open func registerSoundAsset(
        url: URL, identifier: String?, assetType: PHASEAsset.AssetType, channelLayout: AVAudioChannelLayout?,
        normalizationMode: PHASENormalizationMode
    ) throws -> PHASESoundAsset {
        let name = try reserve(identifier)
        let loader = SoundLoader(identifier: name, layout: channelLayout, normalise: normalizationMode == .dynamic)
        let sound = try loader.load(url, streamed: assetType == .streamed)
        recordNonFinite(sound, name)
        let asset = try insert(PHASESoundAsset(identifier: name, url: url, data: nil, type: assetType, sound: sound))
        control.noteFile(url) { data, file in
            .soundFile(
                name, data: data, name: file, streamed: assetType == .streamed,
                layout: channelLayout?.layoutRecord, normalised: normalizationMode == .dynamic)
        }
        return asset
    }

    /// Registers raw PCM: one interleaved block, or the channels' blocks one behind the other, as `format` says.
    /// - Throws: `PHASEAssetError` `.alreadyExists` or `.badParameters`.
    @discardableResult
    open func registerSoundAsset(
        data: Data, identifier: String?, format: AVAudioFormat,
        normalizationMode: PHASENormalizationMode
    ) throws -> PHASESoundAsset {
        let name = try reserve(identifier)
        let loader = SoundLoader(
            identifier: name, layout: format.channelLayout, normalise: normalizationMode == .dynamic)
        let sound = try loader.load(data, format)
        recordNonFinite(sound, name)
        let asset = try insert(
            PHASESoundAsset(identifier: name, url: nil, data: data, type: .resident, sound: sound))
        control.note { writer in
            .sound(
                name, data: writer.add(data), format.formatRecord, normalised: normalizationMode == .dynamic)
        }
        return asset
    }

    private func recordNonFinite(_ sound: RegisteredSound, _ name: String) {
        guard sound.nonFiniteSamples > 0 else { return }
        control.record(
            PHASEAssetError(
                .badParameters,
                "Sound “\(name)” holds \(sound.nonFiniteSamples) samples that are NaN or infinite; they are played as 0. "
                    + "Look for a division by zero or memory that was not written."))
    }

    /// Registers a tree of nodes. The definitions are captured: later changes to them are not seen.
    /// - Throws: `PHASEAssetError` `.alreadyExists`, or `.badParameters` for a tree that cannot be played.
    @discardableResult
    open func registerSoundEventAsset(
        rootNode: PHASESoundEventNodeDefinition, identifier: String?
    ) throws -> PHASESoundEventNodeAsset {
        let name = try reserve(identifier)
        let captured = try DefinitionCapture.event(from: rootNode)
        let asset = try insert(captured.tree, captured.formats, name)
        captured.corrections.forEach(control.record)
        return asset
    }

    /// Registers what was recorded of a tree.
    func register(_ tree: EventTree, _ formats: [Int: AVAudioFormat], identifier: String) throws {
        _ = try insert(tree, formats, try reserve(identifier))
    }

    private func insert(
        _ tree: EventTree, _ formats: [Int: AVAudioFormat], _ name: String
    ) throws -> PHASESoundEventNodeAsset {
        let asset = try insert(
            PHASESoundEventNodeAsset(identifier: name, event: RegisteredEvent(tree: tree), formats: formats))
        control.note(.eventAsset(name, tree, formats: formats.mapValues(\.formatRecord)))
        return asset
    }

    /// Registers a meta-parameter that every sound event made from now on shares, wherever it names the definition's
    /// identifier.
    /// - Throws: `PHASEAssetError` `.alreadyExists`, or `.badParameters` for a mapped definition, which has no value of
    ///   its own.
    @discardableResult
    open func registerGlobalMetaParameter(
        metaParameterDefinition: PHASEMetaParameterDefinition
    ) throws -> PHASEGlobalMetaParameterAsset {
        let asset = try register(metaParameterDefinition.blueprint)
        if let correction = metaParameterDefinition.correction { control.record(correction) }
        return asset
    }

    @discardableResult
    func register(_ blueprint: ParameterBlueprint) throws -> PHASEGlobalMetaParameterAsset {
        let name = try reserve(blueprint.identifier)
        guard let parameter = PHASEMetaParameter.make(blueprint, control: control) else {
            throw PHASEAssetError(
                .badParameters,
                "Meta-parameter “\(name)” is mapped: it follows another one. Register its input instead.")
        }
        let asset = try insert(PHASEGlobalMetaParameterAsset(identifier: name, parameter: parameter))
        control.note(.globalParameter(blueprint))
        return asset
    }

    // MARK: Unregister, look up

    /// Takes an asset out of the registry. Its identifier is free at once; sound events that have been started play on.
    ///
    /// The handler hears true once no started event uses the asset any more, at the latest when the engine is stopped;
    /// false, without waiting, if there was no such asset. Events that were made of it and not started are not waited
    /// for.
    open func unregisterAsset(identifier: String, completion handler: ((Bool) -> Void)? = nil) {
        let call = handler.map(UncheckedCall.init)
        control.locked {
            control.note(.unregister(identifier))
            control.store.unregister(identifier) { call?.body($0) }
        }
    }

    /// As `unregisterAsset(identifier:completion:)`; returns when the handler would be called.
    @discardableResult
    open func unregisterAsset(identifier: String) async -> Bool {
        await withCheckedContinuation { continuation in
            unregisterAsset(identifier: identifier, completion: { continuation.resume(returning: $0) })
        }
    }

    /// The asset of that name; nil if there is none.
    @discardableResult
    open func asset(forIdentifier identifier: String) -> PHASEAsset? {
        control.locked { control.store.assets[identifier] }
    }

    /// The shared meta-parameters by identifier: live objects.
    open var globalMetaParameters: [String: PHASEMetaParameter] {
        control.locked { control.store.assets.compactMapValues { ($0 as? PHASEGlobalMetaParameterAsset)?.parameter } }
    }

    // MARK: Names

    /// A name that is free, before the work of loading is done.
    private func reserve(_ identifier: String?) throws -> String {
        try control.locked {
            guard let identifier else {
                repeat { generatedCount += 1 } while control.store.assets["asset-\(generatedCount)"] != nil
                return "asset-\(generatedCount)"
            }
            if let taken = control.store.assets[identifier] { throw Self.alreadyExists(taken) }
            return identifier
        }
    }

    private func insert<Asset: PHASEAsset>(_ asset: Asset) throws -> Asset {
        try control.locked {
            if let taken = control.store.assets[asset.identifier] { throw Self.alreadyExists(taken) }
            control.store.assets[asset.identifier] = asset
            return asset
        }
    }

    private static func alreadyExists(_ asset: PHASEAsset) -> any Error {
        PHASEAssetError(
            .alreadyExists,
            "“\(asset.identifier)” is registered already; choose another identifier or call unregisterAsset(identifier:) first."
        )
    }
}

/// Lets a handler that Apple's signature does not mark as Sendable travel to the thread that calls it, once.
private struct UncheckedCall: @unchecked Sendable {
    let body: (Bool) -> Void
    init(_ body: @escaping (Bool) -> Void) { self.body = body }
}
