import Foundation
import OssicleAVFAudio
import OssiclePHASE

/// Runs `body` on several threads until `work` has returned.
private func beside(_ threads: Int, _ work: () throws -> Void, body: @escaping @Sendable (Int) -> Void) rethrows {
    let (group, over) = (DispatchGroup(), Flag())
    for number in 0..<threads {
        Thread.detachNewThread {
            group.enter()
            while !over.isSet { body(number) }
            group.leave()
        }
    }
    defer {
        over.set()
        group.wait()
    }
    try work()
}

private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    func set() { lock.withLock { value = true } }
    var isSet: Bool { lock.withLock { value } }
}

/// Both engines from several threads at once.
let threadCases: [MisuseCase] = [
    MisuseCase("threads: nodes come, play and go while another thread renders") {
        let graph = try OfflineGraph(), shared = Shared(value: graph)
        let buffer = Shared(value: try graph.buffer(frames: 64))
        try beside(
            3,
            {
                for _ in 0..<60 { try graph.render(256) }
            },
            body: { number in
                let (engine, player, delay) = (shared.value.engine, AVAudioPlayerNode(), AVAudioUnitDelay())
                engine.attach(player)
                engine.attach(delay)
                engine.connect(player, to: delay, format: shared.value.format)
                engine.connect(delay, to: engine.mainMixerNode, format: shared.value.format)
                player.scheduleBuffer(buffer.value, at: nil, options: number == 0 ? .loops : [])
                player.play()
                delay.wetDryMix = .nan
                player.volume = Float(number)
                delay.reset()
                engine.detach(number == 1 ? delay : player)
                player.stop()
                engine.detach(player)
                engine.detach(delay)
            })
        graph.engine.drainCallbacks()
        try graph.expectUnchanged("threads")
    },
    MisuseCase("threads: an engine is started and stopped by all at once") {
        let graph = try OfflineGraph(), shared = Shared(value: graph)
        beside(
            4,
            {
                for _ in 0..<200 { try? graph.render(64) }
            },
            body: { number in
                switch number {
                case 0: try? shared.value.engine.start()
                case 1: shared.value.engine.stop()
                case 2: shared.value.engine.pause()
                default: shared.value.engine.reset()
                }
                Thread.sleep(forTimeInterval: 0.0005)
            })
        graph.engine.stop()
        try graph.engine.start()
        try graph.expectUnchanged("threads")
    },
    MisuseCase("threads: a scene is edited by all while another thread renders") {
        let scene = try OfflineScene(), shared = Shared(value: scene)
        try beside(
            3,
            {
                for _ in 0..<60 { try scene.render(256) }
            },
            body: { number in
                let (scene, source) = (shared.value, PHASESource(engine: shared.value.engine))
                try? scene.engine.rootObject.addChild(source)
                source.transform.columns.3 = SIMD4(Float(number), 0, .nan, 1)
                if let event = try? OfflineScene.event(
                    "event", scene.engine, mixer: scene.mixer, source: source, listener: scene.listener)
                {
                    event.start(completion: nil)
                    event.seek(to: .infinity, completion: nil)
                    if number == 0 { scene.engine.update() }
                    event.stopAndInvalidate()
                }
                scene.engine.rootObject.removeChild(source)
                Thread.sleep(forTimeInterval: 0.001)
            })
        try scene.expectAudible("threads")
    },
]
