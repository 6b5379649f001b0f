import Foundation
import OssicleInspector
import PHASE
import Synchronization

@testable import OssicleDevices

/// What the live view costs on the device's thread: callbacks of 256 frames while nobody looks and while somebody does,
/// by turns.
///
///     Benchmarks view [--seconds 3] [--voices 100] [--rounds 8]
///
/// Somebody who looks is an inspector that does what the page's does: the engine is watched, and thirty times a second
/// a snapshot is taken and put into JSON on a thread of its own. Processor time of the callbacks, as `Deadlines` has
/// it.
enum ViewCosts {
    private static let quantum = 256
    private static let sampleRate = 48_000.0

    static func run(voices: Int, seconds: Double, rounds: Int) throws {
        let capacity = Int((seconds + 1) * Double(2 * rounds + 4) * sampleRate) / quantum
        let device = try TimedOutput(quantum: quantum, sampleRate: sampleRate, capacity: capacity)
        let scene = try CrowdedScene(voices: voices)
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try scene.engine.start() }
        scene.startVoices()
        Thread.sleep(forTimeInterval: 1)
        var (without, with): ([UInt64], [UInt64]) = ([], [])
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let plain = times(device, scene, seconds)
            let looking = Looking()
            scene.engine.inspector = looking
            let watched = times(device, scene, seconds)
            scene.engine.inspector = nil
            looking.stop()
            ratios.append(mean(watched) / mean(plain))
            without += plain
            with += watched
        }
        scene.engine.stop()
        Report.lines(
            "Callbacks of \(quantum) frames with \(voices) moving voices, \(rounds) turns of \(Report.number(seconds)) s each"
        )
        for (name, times) in [("nobody looks", without), ("somebody looks", with)] {
            let sorted = times.sorted()
            func quantile(_ share: Double) -> String {
                Report.number(Double(sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]) / 1000)
            }
            Report.line(
                name,
                "mean \(Report.number(mean(times) / 1000)) µs, p50 \(quantile(0.5)), p99 \(quantile(0.99)), of processor time"
            )
        }
        let median = ratios.sorted()[ratios.count / 2]
        Report.line("ratio", "\(Report.number((median - 1) * 100)) % more in the median of the turns")
    }

    /// Of the callbacks of some seconds in which the scene is edited.
    private static func times(_ device: TimedOutput, _ scene: CrowdedScene, _ seconds: Double) -> [UInt64] {
        // What is made once when somebody begins to look, or ceases, is over by then.
        Thread.sleep(forTimeInterval: 0.3)
        let first = device.callbacks.count
        for turn in 0..<Int(seconds * 60) {
            scene.edit(turn)
            Thread.sleep(forTimeInterval: 1.0 / 60)
        }
        return device.callbacks.dropFirst(first).map(\.processor)
    }

    private static func mean(_ times: [UInt64]) -> Double {
        times.reduce(0) { $0 + Double($1) } / Double(max(times.count, 1))
    }
}

/// An inspector that looks as the page's does, and sends nothing.
private final class Looking: EngineInspector {
    private struct Content: @unchecked Sendable { weak var engine: (any InspectedEngine)? }
    private let content = Mutex(Content())
    private let isOver = Atomic(false)

    func begin(_ engine: any InspectedEngine) {
        content.withLock { $0.engine = engine }
        engine.setWatched(true)
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed), let engine = content.withLock({ $0.engine }) {
                _ = try? JSONEncoder().encode(engine.snapshot())
                _ = try? JSONEncoder().encode(engine.takeSound())
                Thread.sleep(forTimeInterval: 1.0 / 30)
            }
        }
    }

    func end(_ engine: any InspectedEngine) { stop() }

    func stop() { isOver.store(true, ordering: .relaxed) }
}
