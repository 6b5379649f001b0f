import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

extension OfflineGraph {
    /// A player beside the source.
    func player() throws -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        try engine.connectNode(player, to: engine.mainMixerNode, format: format)
        return player
    }
}

/// Counts handlers that ran, on any thread.
final class Count: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var value: Int { lock.withLock { number } }
}

/// AVAudioPlayerNode.
let playerCases: [MisuseCase] = [
    MisuseCase("player: buffers that cannot be played") {
        let graph = try OfflineGraph(), player = try graph.player(), called = Count()
        player.play()
        let empty = try graph.buffer(frames: 0), mono = try graph.buffer(frames: 64, channels: 1),
            slow = try graph.buffer(frames: 64, rate: 8000)
        for options in [[], .loops, .interrupts, .interruptsAtLoop, [.loops, .interrupts]]
            as [AVAudioPlayerNodeBufferOptions]
        {
            note("options \(options.rawValue)")
            player.scheduleBuffer(empty, at: nil, options: options) { called.add() }
            player.scheduleBuffer(mono, at: nil, options: options) { called.add() }
            player.scheduleBuffer(slow, at: nil, options: options) { called.add() }
            try graph.render(4096)
        }
        player.stop()
        graph.engine.drainCallbacks()
        try graph.expectUnchanged("stopping the player")
        try expect(called.value > 0, "no completion was called")
    },
    MisuseCase("player: samples that are no numbers") {
        let graph = try OfflineGraph(), player = try graph.player()
        for value in Hostile.floats {
            note("\(value)")
            player.scheduleBuffer(try graph.buffer(frames: 512, value: value))
        }
        player.play()
        for _ in 0..<12 { try graph.render(512).forEach { try expect($0.isFinite, "\($0)") } }
    },
    MisuseCase("player: times without validity, in the past, at the end of time") {
        let graph = try OfflineGraph(), player = try graph.player(), buffer = try graph.buffer(frames: 64)
        var nothing = AudioTimeStamp()
        let times = [
            AVAudioTime(sampleTime: .min, atRate: 48_000), AVAudioTime(sampleTime: .max, atRate: 48_000),
            AVAudioTime(sampleTime: 0, atRate: 0),
            AVAudioTime(sampleTime: 10, atRate: .nan), AVAudioTime(sampleTime: 10, atRate: -.infinity),
            AVAudioTime(sampleTime: .max, atRate: 1e-300),
            AVAudioTime(hostTime: 0), AVAudioTime(hostTime: .max),
            AVAudioTime(audioTimeStamp: &nothing, sampleRate: .nan),
        ]
        for time in times {
            note("\(time)")
            player.scheduleBuffer(buffer, at: time, options: [])
            player.play(at: time)
            try graph.render()
            _ = (
                player.nodeTime(forPlayerTime: time), player.playerTime(forNodeTime: time),
                time.extrapolateTime(fromAnchor: times[0])
            )
            player.stop()
        }
        _ = (
            AVAudioTime.hostTime(forSeconds: .nan), AVAudioTime.hostTime(forSeconds: .infinity),
            AVAudioTime.hostTime(forSeconds: -1),
            AVAudioTime.seconds(forHostTime: .max)
        )
        try graph.expectUnchanged("times")
    },
    MisuseCase("player: play, pause, stop, reset and prepare in any order, attached or not") {
        let graph = try OfflineGraph(), loose = AVAudioPlayerNode(), player = try graph.player(),
            buffer = try graph.buffer(frames: 100)
        var random = SeededNumbers(seed: 2)
        for _ in 0..<400 {
            let (one, step) = (random.next(3) == 0 ? loose : player, random.next(8))
            note("\(one === loose ? "loose" : "attached") step \(step)")
            switch step {
            case 0: one.play()
            case 1: one.pause()
            case 2: one.stop()
            case 3: one.reset()
            case 4: one.prepare(withFrameCount: Hostile.frames[random.next(Hostile.frames.count)])
            case 5: one.scheduleBuffer(buffer, at: nil, options: random.next(2) == 0 ? .loops : [])
            case 6: try graph.render(100)
            default: _ = (one.isPlaying, one.lastRenderTime)
            }
        }
        try expectThrown("a player without an engine throws") { try loose.playAudio() }
        player.stop()
        try graph.expectUnchanged("400 calls")
    },
    MisuseCase("player: stopped and detached from its own completion") {
        let graph = try OfflineGraph(), called = Count()
        for round in 0..<8 {
            let player = try graph.player()
            let shared = Shared(value: (player, graph.engine))
            player.scheduleBuffer(try graph.buffer(frames: 32)) {
                called.add()
                let (player, engine) = shared.value
                player.stop()
                if round % 2 == 0 { engine.detach(player) } else { player.play() }
            }
            player.play()
            try graph.render(256)
            try graph.render(256)
            graph.engine.drainCallbacks()
        }
        try expect(called.value == 8, "\(called.value) of 8 completions were called")
        try graph.expectUnchanged("completions")
    },
    MisuseCase("player: segments beyond the file") {
        let graph = try OfflineGraph(), player = try graph.player(), folder = try Folder()
        let file = try folder.sound(frames: 1000)
        for start in [Int64.min, -1, 0, 999, 1000, 1001, .max] {
            for count in Hostile.frames {
                note("segment from \(start), \(count) frames")
                player.scheduleSegment(file, startingFrame: start, frameCount: count, at: nil)
                player.play()
                try graph.render()
                player.stop()
            }
        }
        file.close()
        note("a closed file")
        player.scheduleFile(file, at: nil)
        player.play()
        try graph.render()
        player.stop()
        try graph.expectUnchanged("segments")
    },
    MisuseCase("player: mixing properties") {
        let graph = try OfflineGraph(), player = try graph.player(), environment = AVAudioEnvironmentNode()
        graph.engine.attach(environment)
        let mono = try graph.buffer(frames: 512, channels: 1)
        try graph.engine.connectNode(environment, to: graph.engine.mainMixerNode, format: graph.format)
        let spatial = AVAudioPlayerNode()
        graph.engine.attach(spatial)
        try graph.engine.connectNode(spatial, to: environment, format: mono.format)
        for one in [player, spatial] {
            one.scheduleBuffer(one === spatial ? mono : try graph.buffer(frames: 512), at: nil, options: .loops)
            one.play()
            try exercise(
                one,
                [
                    Setting("volume", \.volume), Setting("pan", \.pan), Setting("rate", \.rate),
                    Setting("reverbBlend", \.reverbBlend),
                    Setting("obstruction", \.obstruction), Setting("occlusion", \.occlusion),
                ], values: Hostile.floats
            ) { try graph.render(256) }
            one.volume = 1
            one.rate = 1
            try exercise(
                one, [Setting("position") { $0.position = AVAudio3DPoint(x: $1, y: $1, z: -$1) }],
                values: Hostile.floats
            ) { try graph.render(256) }
            one.position = AVAudio3DPoint(x: 0, y: 0, z: 0)
        }
    },
]
