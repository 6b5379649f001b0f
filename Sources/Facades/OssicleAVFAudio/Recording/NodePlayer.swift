import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRecording

/// Carries recorded commands out on an engine.
final class NodePlayer {
    private let engine: AVAudioEngine
    private let reader: CommandReader
    private let folder: URL
    private var nodes: [Int: AVAudioNode] = [:]
    private var piece: AVAudioPCMBuffer?
    /// What stand-ins play, until they are connected.
    private var captured: [Int: [(sound: SoundRecord, frame: Int64)]] = [:]

    init(_ engine: AVAudioEngine, _ reader: CommandReader, _ course: CommandCourse<EngineCommand>) throws {
        (self.engine, self.reader) = (engine, reader)
        for (command, _) in course.commands {
            if case .captured(let number, let sound, let frame) = command {
                captured[number, default: []].append((sound, frame))
            }
        }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Memory for 512 frames.
    func buffer(_ format: AVAudioFormat) -> AVAudioPCMBuffer? {
        if let piece, piece.format == format { return piece }
        piece = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)
        return piece
    }

    private func refusal(_ found: String) -> CommandFileError {
        CommandFileError(
            .impossible, file: reader.path, found: found, rule: "A command names what was made before.",
            cure: "Take the file as it was recorded.")
    }

    private func node<Node: AVAudioNode>(_ number: Int) throws -> Node {
        guard let node = nodes[number] as? Node else { throw refusal("node \(number) is no \(Node.self)") }
        return node
    }

    func perform(_ command: EngineCommand) throws {
        switch command {
        case .manual(let record, let maximum):
            engine.stop()
            guard let format = AVAudioFormat.made(of: record) else { throw refusal("its format is none") }
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: max(maximum, 1))
        case .notManual: engine.disableManualRenderingMode()
        case .start: try engine.start()
        case .pause: engine.pause()
        case .stop: engine.stop()
        case .reset: engine.reset()
        case .implicit, .attach, .detach, .connect, .disconnect, .resetNode: try performOnGraph(command)
        case .play, .pausePlayer, .stopPlayer, .buffer, .segment: try performOnPlayer(command)
        // Played from the start.
        case .captured: break
        default: try performOnNode(command)
        }
    }

    /// A stand-in plays what was captured, at the frames at which it sounded. A rate is known as soon as it is
    /// connected.
    private func playCaptured(_ number: Int) throws {
        guard let player = nodes[number] as? AVAudioPlayerNode, let pieces = captured.removeValue(forKey: number),
            let first = pieces.first?.frame
        else { return }
        for (sound, frame) in pieces {
            guard let buffer = AVAudioPCMBuffer.made(of: sound, try reader.bytes(sound.data)) else {
                throw refusal("the sound of node \(number) is none")
            }
            let time = AVAudioTime(sampleTime: frame - first, atRate: sound.format.sampleRate)
            player.scheduleBuffer(buffer, at: time)
        }
        try player.begin(at: AVAudioTime(sampleTime: first, atRate: player.playerRate))
    }

    private func performOnGraph(_ command: EngineCommand) throws {
        switch command {
        case .implicit(let number, .output): nodes[number] = engine.outputNode
        case .implicit(let number, .input):
            let player = AVAudioPlayerNode()
            engine.attach(player)
            nodes[number] = player
        case .implicit(let number, .mainMixer): nodes[number] = engine.mainMixerNode
        case .attach(let number, let kind):
            let node = made(kind)
            engine.attach(node)
            nodes[number] = node
        case .detach(let number): engine.detach(try node(number))
        case .connect(let number, let bus, let targets, let record):
            var format: AVAudioFormat?
            // A stand-in has no format of its own.
            if let record = captured[number]?.first?.sound.format ?? record {
                format = AVAudioFormat.made(of: record)
                if format == nil { throw refusal("the format of a connection of node \(number) is none") }
            }
            // What leads into a stand-in is in its sound.
            let heard = try targets.map { (node: try node($0.node) as AVAudioNode, bus: $0.bus) }.filter {
                !($0.node is AVAudioPlayerNode)
            }
            guard !heard.isEmpty else { return }
            try engine.machine.connect(node(number), bus, to: heard, format: format)
            try playCaptured(number)
        case .disconnect(let inputs):
            for input in inputs { engine.disconnectNodeInput(try node(input.node), bus: input.bus) }
        case .resetNode(let number): (try node(number) as AVAudioNode).reset()
        default: break
        }
    }

    private func made(_ kind: EngineCommand.Kind) -> AVAudioNode {
        switch kind {
        case .player: return AVAudioPlayerNode()
        case .mixer: return AVAudioMixerNode()
        case .environment: return AVAudioEnvironmentNode()
        case .equalizer(let bands): return AVAudioUnitEQ(numberOfBands: bands)
        case .distortion: return AVAudioUnitDistortion()
        case .unit(let type, let subtype, let isTimeEffect):
            let description = AudioComponentDescription(builtIn: type, subtype)
            return isTimeEffect
                ? AVAudioUnitTimeEffect(audioComponentDescription: description)
                : AVAudioUnitEffect(audioComponentDescription: description)
        case .standIn: return AVAudioPlayerNode()
        }
    }

    private func performOnNode(_ command: EngineCommand) throws {
        switch command {
        case .mixing(let number, let base, let destinations):
            let overrides = try destinations.map { destination in
                (BusKey(try node(destination.node) as AVAudioNode, .input, bus: destination.bus), destination.mixing)
            }
            (try node(number) as AVAudioNode).mixing.set(base, Dictionary(overrides, uniquingKeysWith: { $1 }))
        case .volume(let number, let volume): (try node(number) as AVAudioMixerNode).outputVolume = volume
        case .crossPoint(let number, let gain, let bus, let input, let output):
            (try node(number) as AVAudioMixerNode).setCrossPoint(
                gain, inputBus: bus, inputChannel: input, outputChannel: output)
        case .environment(let number, let state): (try node(number) as AVAudioEnvironmentNode).restore(state)
        case .preset(let number, let preset): (try node(number) as AVAudioUnit).load(preset: preset)
        case .response(let number, let record):
            (try node(number) as AVAudioUnit).applyInsertState([.response(record)])
        case .parameters(let number, let parameters):
            guard let unit = nodes[number] as? AVAudioUnit else { return }
            unit.setTogether(parameters.filter { $0.value.isFinite }.map { ($0.address, $0.value) })
        case .bypass(let number, let isBypassed):
            switch nodes[number] {
            case let effect as AVAudioUnitEffect: effect.bypass = isBypassed
            case let effect as AVAudioUnitTimeEffect: effect.bypass = isBypassed
            default: break
            }
        default: break
        }
    }

    private func performOnPlayer(_ command: EngineCommand) throws {
        switch command {
        case .play(let number, let time): (try node(number) as AVAudioPlayerNode).play(at: time.map(AVAudioTime.made))
        case .pausePlayer(let number): (try node(number) as AVAudioPlayerNode).pause()
        case .stopPlayer(let number): (try node(number) as AVAudioPlayerNode).stop()
        case .buffer(let number, let sound, let time, let options):
            guard let buffer = AVAudioPCMBuffer.made(of: sound, try reader.bytes(sound.data)) else {
                throw refusal("a buffer of player \(number) is none")
            }
            (try node(number) as AVAudioPlayerNode).scheduleBuffer(
                buffer, at: time.map(AVAudioTime.made), options: AVAudioPlayerNodeBufferOptions(rawValue: options))
        case .segment(let number, let data, let name, let start, let count, let time):
            let ending = URL(fileURLWithPath: name).pathExtension.prefix(8).filter { $0.isLetter || $0.isNumber }
            let url = folder.appendingPathComponent("\(data.prefix(16)).\(ending)")
            if !FileManager.default.fileExists(atPath: url.path) { try reader.bytes(data).write(to: url) }
            (try node(number) as AVAudioPlayerNode).schedule(
                try AVAudioFile(forReading: url), start, count, time.map(AVAudioTime.made), nil)
        default: break
        }
    }
}
