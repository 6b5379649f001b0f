import OssicleCore
import OssicleInspection
import OssicleNodes

/// The environments of a graph, as a scene: each is a listener, and what it places are sources. Under the engine's
/// lock.
extension GraphInspection {
    /// - Parameter graph: whose numbers, names and levels are those of the scene.
    /// - Returns: nil where no environment is attached.
    func environmentScene(_ machine: EngineMachine, _ graph: InspectedGraph) -> InspectedScene? {
        let reports = Dictionary(graph.nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var scene = InspectedScene()
        scene.acoustics = "environment"
        for case let environment as AVAudioEnvironmentNode in machine.model.nodes {
            guard let report = reports[numbers.number(of: environment)] else { continue }
            let turn = environment.listenerVectorOrientation
            scene.listeners.append(
                InspectedObject(
                    id: report.id, name: report.name, position: environment.listenerPosition.brief,
                    forward: turn.forward.brief, up: turn.up.brief, gain: Double(environment.outputVolume).brief))
        }
        guard !scene.listeners.isEmpty else { return nil }
        var paths: [Float] = []
        for node in machine.model.nodes where node is any AVAudioMixing {
            guard let report = reports[numbers.number(of: node)] else { continue }
            for wire in machine.model.mixerWires(from: node) {
                guard let environment = wire.target as? AVAudioEnvironmentNode else { continue }
                let mixing = node.mixing.properties(at: wire.to)
                add(report, (node as? AVAudioPlayerNode)?.isPlaying, mixing, in: environment, &scene, &paths)
            }
        }
        scene.paths = PackedNumbers(paths)
        scene.pathCount = scene.sources.count
        return scene
    }

    /// - Parameter isPlaying: of a player; nil for other sources.
    private func add(
        _ report: InspectedNode, _ isPlaying: Bool?, _ mixing: SourceMixing, in environment: AVAudioEnvironmentNode,
        _ scene: inout InspectedScene, _ paths: inout [Float]
    ) {
        let listener = numbers.number(of: environment), ears = SIMD3<Float>(environment.listenerPosition)
        let distance = Double(((mixing.position - ears) * (mixing.position - ears)).sum()).squareRoot()
        let law = environment.distanceAttenuationParameters.law
        let dry = DeterministicMath.cos(Double(mixing.reverbBlend) * DeterministicMath.pi / 2)
        func level(_ gain: Double) -> Double { Decibels.of(amplitude: max(gain, 1e-10)).briefLevel }
        let direct = level(Double(mixing.volume) * max(dry, 0) * law.gain(at: distance))
        if !scene.sources.contains(where: { $0.id == report.id }) {
            var source = InspectedObject(
                id: report.id, name: report.name, position: mixing.position.brief, forward: [0, 0, -1], up: [0, 1, 0],
                gain: Double(mixing.volume).brief)
            (source.isMuted, source.isSoloed) = (report.isMuted, report.isSoloed)
            scene.sources.append(source)
        }
        var voice = InspectedVoice(
            id: report.id, event: report.name, node: report.name, sound: "\(mixing.algorithm)",
            state: isPlaying == false ? "stopped" : report.isActive ? "playing" : "idle", position: 0, direct: direct)
        (voice.source, voice.listener) = (report.id, listener)
        voice.late =
            environment.reverbParameters.enable ? level(Double(mixing.volume) * (1 - dry * dry).squareRoot()) : nil
        (voice.distance, voice.peak) = (distance.brief, report.peak)
        scene.voices.append(voice)
        paths += [0, Float(report.id), Float(listener), Float(direct), 2]
        for place in [mixing.position, ears] { paths += [place.x, place.y, place.z] }
    }

    /// - Returns: false where the node has no place.
    func move(_ node: AVAudioNode, to place: SIMD3<Double>) -> Bool {
        let point = AVAudio3DPoint(SIMD3<Float>(place))
        switch node {
        case let environment as AVAudioEnvironmentNode: environment.listenerPosition = point
        case let source as any AVAudioMixing: source.position = point
        default: return false
        }
        return true
    }
}

extension SIMD3<Float> {
    fileprivate var brief: SIMD3<Double> { SIMD3<Double>(self).brief }
}

extension AVAudio3DPoint {
    fileprivate var brief: SIMD3<Double> { SIMD3<Float>(self).brief }
}
