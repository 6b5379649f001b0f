import Foundation
import OssicleScenes

/// What happens in a scene, and when (an addition of Ossicle): a JSON file that moves objects, sets parameters, and
/// starts and stops sound events. `Documentation/SceneFile.md` says what is in it.
///
///     var time = 0.0
///     while time < timeline.duration {
///         timeline.advance(to: time)          // then render up to the next time
///         …
///     }
///
/// What it changes takes effect at the engine's next update. From one thread at a time.
public final class PHASESceneTimeline: NSObject {
    /// The scene whose objects it moves.
    public let scene: PHASEScene
    private let timeline: SceneTimeline
    /// Actions that are done.
    private var done = 0

    /// - Throws: `PHASEAssetError.failedToLoad`, which names the place in the file, the value, the rule and the cure.
    public init(contentsOf url: URL, scene: PHASEScene) throws {
        guard let path = url.localPath else {
            throw PHASEAssetError(
                .failedToLoad, "Timeline \(url.absoluteString) is not a local file; download it first.")
        }
        self.scene = scene
        timeline = try SceneErrors.bridged { try SceneTimeline(contentsOfFile: path, for: scene.document) }
        super.init()
    }

    /// Seconds: as the file says, or up to its last key and action.
    public var duration: Double { timeline.length }

    /// When the next action is due, in seconds; nil when all are done. Render up to its frame before advancing to it,
    /// and it falls on the frame.
    public var nextActionTime: Double? { done < timeline.actions.count ? timeline.actions[done].time : nil }

    /// Brings the scene to a time: everything that follows keys is where it is then, and actions up to it are done, in
    /// order. Times only rise.
    /// - Throws: what a sound event that is started anew is refused for.
    public func advance(to seconds: Double) throws {
        for track in timeline.tracks { apply(track, at: seconds) }
        while done < timeline.actions.count, timeline.actions[done].time <= seconds {
            done += 1
            try perform(timeline.actions[done - 1].kind)
        }
    }

    private func apply(_ track: SceneTrack, at seconds: Double) {
        let value = track.value(at: seconds)
        switch track.target {
        case .position(let part):
            guard let object = scene.objects[part.node] else { return }
            object.transform = simd_float4x4(SceneTransform(object.transform).moved(to: value))
        case .orientation(let part):
            guard let object = scene.objects[part.node] else { return }
            object.transform = simd_float4x4(SceneTransform(object.transform).turned(to: value))
        case .gain(let part):
            scene.sources[part.node]?.gain = value[0]
            scene.listeners[part.node]?.gain = value[0]
        case .groupGain(let part): scene.groups[part.group]?.gain = value[0]
        case .groupRate(let part): scene.groups[part.group]?.rate = value[0]
        case .parameter(let part): parameter(part.parameter, of: part.instance)?.value = value[0]
        }
    }

    private func perform(_ kind: SceneAction.Kind) throws {
        switch kind {
        case .start(let part): try scene.start(part.instance)
        case .stop(let part): scene.soundEvents[part.instance]?.stopAndInvalidate()
        case .pause(let part): scene.soundEvents[part.instance]?.pause()
        case .resume(let part): scene.soundEvents[part.instance]?.resume()
        case .seek(let part): scene.soundEvents[part.instance]?.seek(to: part.to, completion: nil)
        case .setText(let part): parameter(part.parameter, of: part.instance)?.value = part.value
        case .mute(let part): scene.groups[part.group]?.mute()
        case .unmute(let part): scene.groups[part.group]?.unmute()
        case .activatePreset(let part): scene.groupPresets[part.preset]?.activate()
        case .deactivatePreset(let part): scene.groupPresets[part.preset]?.deactivate()
        }
    }

    private func parameter(_ name: String, of instance: String?) -> PHASEMetaParameter? {
        guard let instance else { return scene.engine.assetRegistry.globalMetaParameters[name] }
        return scene.soundEvents[instance]?.metaParameters[name]
    }
}
