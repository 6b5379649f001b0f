import Foundation
import PHASE
import Synchronization

@testable import OssicleDevices

/// How long the callbacks of a device with small blocks take while another thread edits the scene.
///
///     Benchmarks deadlines [--seconds 20] [--voices 32,256]
///
/// Binaural voices with late reverb circle the listener; sixty times a second the editing thread moves all of them,
/// turns the listener, and starts, stops, adds and removes others. Processor time is what the callback costs, wall time
/// has in it what the system did meanwhile. Blocks of 64 frames are cut from a grid of 128, so that control-rate work
/// falls on every other callback.
enum Deadlines {
    private static let quantum = 64
    private static let sampleRate = 48_000.0

    static func run(voices: [Int], seconds: Double) throws {
        let budget = Double(quantum) / sampleRate * 1e6
        Report.lines(
            "Callbacks of \(quantum) frames at 48 kHz on the silent clock: \(Report.number(budget)) µs each, "
                + "\(Report.number(seconds)) s, another thread edits")
        for count in voices {
            let callbacks = try measure(voices: count, seconds: seconds)
            let name = "\(count) voices"
            Report.lines(Times(name + ", processor", callbacks.map(\.processor)).words(budget: budget))
            Report.lines(Times(name + ", wall", callbacks.map(\.wall)).words(budget: budget))
        }
    }

    private static func measure(voices: Int, seconds: Double) throws -> [TimedOutput.Callback] {
        let capacity = Int((seconds + 10) * sampleRate) / quantum
        let device = try TimedOutput(quantum: quantum, sampleRate: sampleRate, capacity: capacity)
        let scene = try CrowdedScene(voices: voices)
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try scene.engine.start() }
        scene.startVoices()
        let editing = Editing(scene)
        // The first second has in it what is made once.
        Thread.sleep(forTimeInterval: 1)
        let first = device.callbacks.count
        Thread.sleep(forTimeInterval: seconds)
        editing.end()
        scene.engine.stop()
        return Array(device.callbacks.dropFirst(first))
    }

    /// A thread that edits the scene sixty times a second.
    private final class Editing: @unchecked Sendable {
        private let scene: CrowdedScene
        private let isOn = Atomic(true)
        private let ended = DispatchSemaphore(value: 0)

        init(_ scene: CrowdedScene) {
            self.scene = scene
            Thread.detachNewThread { [self] in
                var turn = 0
                while isOn.load(ordering: .relaxed) {
                    self.scene.edit(turn)
                    turn += 1
                    Thread.sleep(forTimeInterval: 1.0 / 60)
                }
                ended.signal()
            }
        }

        func end() {
            isOn.store(false, ordering: .relaxed)
            ended.wait()
        }
    }

    /// Quantiles and a histogram of durations.
    struct Times {
        private let name: String
        private let sorted: [Double]

        /// - Parameter nanoseconds: in any order.
        init(_ name: String, _ nanoseconds: [UInt64]) {
            self.name = name
            sorted = nanoseconds.map { Double($0) / 1000 }.sorted()
        }

        /// The smallest duration in microseconds that a share of all does not exceed (nearest rank).
        func quantile(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return .nan }
            return sorted[min(max(Int((share * Double(sorted.count)).rounded(.up)) - 1, 0), sorted.count - 1)]
        }

        /// - Parameter budget: µs.
        func words(budget: Double) -> String {
            guard let worst = sorted.last else { return "\(name): no callback" }
            let late = sorted.count { $0 > budget }
            let quantiles = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)].map { title, share in
                let time = quantile(share)
                return "\(title) \(Report.number(time)) µs (\(Report.number(100 * time / budget)) %)"
            }
            let line =
                "\(name): \(sorted.count) callbacks, \(quantiles.joined(separator: ", ")), "
                + "worst \(Report.number(worst)) µs, \(late) beyond the budget"
            return ([line] + histogram).joined(separator: "\n")
        }

        /// Two rows for each doubling.
        private var histogram: [String] {
            let rows = Dictionary(grouping: sorted) { Int((2 * log2(max($0, 1))).rounded(.down)) }
            return rows.keys.sorted().map { row in
                let (low, high) = (exp2(Double(row) / 2), exp2(Double(row + 1) / 2))
                let count = rows[row]?.count ?? 0
                let bar = String(repeating: "█", count: max(1, 50 * count / sorted.count))
                let range = "\(Report.number(low)) … \(Report.number(high)) µs"
                return "  " + range.padding(toLength: 22, withPad: " ", startingAt: 0)
                    + String(count).padding(toLength: 9, withPad: " ", startingAt: 0) + bar
            }
        }
    }
}
