/// An asset that is not registered any more, and whom to tell when nobody uses it.
struct LeavingAsset {
    let asset: PHASEAsset
    let handler: @Sendable (Bool) -> Void
}

/// Assets on their way out.
extension EngineCore {
    func unregister(_ identifier: String, _ handler: @escaping @Sendable (Bool) -> Void) {
        locked {
            guard let asset = assets.removeValue(forKey: identifier) else { return hand { handler(false) } }
            leavingAssets.append(LeavingAsset(asset: asset, handler: handler))
            releaseAssets()
        }
    }

    /// Tells of the assets that no started event uses any more. Under the lock.
    func releaseAssets() {
        guard !leavingAssets.isEmpty else { return }
        let playing = events.filter { $0.stage != .ended }
        let free = leavingAssets.filter { leaving in !playing.contains { $0.uses(leaving.asset) } }
        leavingAssets.removeAll { leaving in free.contains { $0.asset === leaving.asset } }
        for leaving in free { hand { leaving.handler(true) } }
    }
}

extension EventInstance {
    fileprivate func uses(_ asset: PHASEAsset) -> Bool {
        switch asset {
        case let asset as PHASESoundAsset: sounds.values.contains { $0 === asset.sound }
        case let asset as PHASESoundEventNodeAsset: event === asset.event
        case let asset as PHASEGlobalMetaParameterAsset: parameters.contains { $0 === asset.parameter }
        default: false
        }
    }
}
