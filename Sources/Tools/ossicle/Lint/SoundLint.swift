import OssicleCore
import OssicleFiles
import OssicleScenes

/// Looks at the sounds of a scene: whether they are there, fit their mixers, and clip together.
struct SoundLint {
    private struct Sound {
        let channels: Int
        let peak: Double
    }

    private let scene: SceneDocument
    private var audio: SceneAudio { scene.audio }

    init(_ scene: SceneDocument) { self.scene = scene }

    func findings() -> [LintFinding] {
        var findings: [LintFinding] = []
        var sounds: [String: Sound] = [:]
        for sound in audio.sounds {
            do {
                sounds[sound.name] = try facts(of: sound.uri)
            } catch let fault as SceneFolderFault {
                findings.append(
                    .error(
                        .missingAsset,
                        "The uri “\(sound.uri)” of the sound “\(sound.name)”: \(fault.rule); \(fault.cure)."))
            } catch {
                findings.append(.error(.missingAsset, "The sound “\(sound.name)”: \(error)"))
            }
        }
        return findings + layouts(sounds) + clipping(sounds)
    }

    private func facts(of uri: String) throws -> Sound {
        let path = try scene.folder.path(of: uri)
        let info = try AudioFileProbe.probe(path: path)
        return Sound(channels: info.channelCount, peak: try LoudnessMeasurement(path: path)?.samplePeak ?? 1)
    }

    private func samplers(of event: SceneEvent) -> [SceneSampler] {
        var (found, open) = ([SceneSampler](), [event.root])
        while let node = open.popLast() {
            if case .sampler(let sampler) = node.kind { found.append(sampler) }
            open += node.children
        }
        return found
    }

    private func layouts(_ sounds: [String: Sound]) -> [LintFinding] {
        let mixers = Dictionary(audio.mixers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var findings: [LintFinding] = []
        for event in audio.events {
            for sampler in samplers(of: event) {
                guard let sound = sounds[sampler.sound], let mixer = mixers[sampler.mixer] else { continue }
                let finding: LintFinding? =
                    switch mixer.kind {
                    case .spatial:
                        sound.channels == 1
                            ? nil
                            : .warning(
                                .layout,
                                "The sound “\(sampler.sound)” has \(sound.channels) channels and plays into the spatial mixer “\(mixer.name)”, whose source is one point: they are mixed down; use a mono file."
                            )
                    case .ambient(let bed): misfit(sampler.sound, sound.channels, mixer.name, bed.layout)
                    case .channel(let bed): misfit(sampler.sound, sound.channels, mixer.name, bed.layout)
                    }
                if let finding, !findings.contains(finding) { findings.append(finding) }
            }
        }
        return findings
    }

    private func misfit(_ sound: String, _ channels: Int, _ mixer: String, _ layout: SceneLayout) -> LintFinding? {
        guard channels != layout.channelCount else { return nil }
        return .error(
            .layout,
            "The sound “\(sound)” has \(channels) channels and plays into the mixer “\(mixer)”, which takes \(layout.channelCount) (\(layout.rawValue)): give the mixer the sound's layout."
        )
    }

    /// An upper bound of what all instances reach together where they stand: sums of peaks, distances as spatial mixers
    /// take them, no rooms and no walls.
    private func clipping(_ sounds: [String: Sound]) -> [LintFinding] {
        let places = Dictionary(
            ScenePoses(scene).placements.compactMap { placement in
                scene.nodes[placement.node].name.map { ($0, placement.pose.position) }
            }, uniquingKeysWith: { first, _ in first })
        let bindings = SceneBindings(scene)
        let events = Dictionary(audio.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var sum = 0.0
        for instance in audio.instances {
            let mixers = Dictionary(
                bindings.mixers(of: instance).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for sampler in events[instance.event].map(samplers) ?? [] where sampler.calibration == .none {
                guard let sound = sounds[sampler.sound], let mixer = mixers[sampler.mixer] else { continue }
                let bound = bindings.binding(of: mixer.name, in: instance)
                let distance = distance(from: bound.source, to: bound.listener, places)
                sum += sound.peak * sampler.level * mixer.gain * Self.gain(of: mixer, at: distance)
            }
        }
        guard sum > 1 else { return [] }
        return [
            .warning(
                .clipping,
                "All instances together may reach \(Text.number(Decibels.of(amplitude: sum), decimals: 1)) dBFS at the listener, and the limiter acts above −1: lower the mixers' gains, if they play at once."
            )
        ]
    }

    private func distance(from source: String?, to listener: String?, _ places: [String: Vector]) -> Double? {
        guard let from = source.flatMap({ places[$0] }), let to = listener.flatMap({ places[$0] }) else { return nil }
        return (from - to).magnitude
    }

    private static func gain(of mixer: SceneMixer, at distance: Double?) -> Double {
        guard case .spatial(let spatial) = mixer.kind else { return 1 }
        guard let direct = spatial.direct else { return 0 }
        guard let distance, case .geometric(let model) = spatial.distance?.model else { return direct.level }
        return direct.level * DeterministicMath.pow(max(distance, 0.1), -model.rolloff)
    }
}
