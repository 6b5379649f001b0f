import Foundation
import Synchronization

/// Sound, and when its frames came.
public struct TimedSound: Sendable {
    /// By channel.
    public var channels: [[Float]]
    /// How many frames there were, and at what time, in seconds of the machine's steady clock.
    public var arrivals: [(frameCount: Int, time: Double)] = []

    public init(channelCount: Int) { channels = Array(repeating: [], count: channelCount) }

    public mutating func noteArrival() {
        arrivals.append((channels[0].count, Double(DispatchTime.now().uptimeNanoseconds) / 1e9))
    }

    /// When a frame had come.
    public func time(of frame: Int) -> Double { arrivals.first { $0.frameCount > frame }?.time ?? .infinity }
}

/// What the server's own program `parec` hears beside the program under test: two channels at 48 kHz. A frame that is
/// missing in both was left out by the server. Where the server ends it, it begins anew.
public final class SourceWitness: Sendable {
    private let listener: Listener

    /// - Parameters:
    ///   - source: nil for the default, which the program then follows.
    ///   - server: as in PULSE_SERVER; nil for the one of this process.
    public init(_ source: String? = nil, server: String? = nil) {
        var arguments = SoundServer.launcher
        arguments += ["parec", "--format=float32le", "--rate=48000", "--channels=2", SoundServer.witnessLatency]
        if let source { arguments.append("--device=" + source) }
        if let server { arguments.append("--server=" + server) }
        let listener = Listener(arguments)
        self.listener = listener
        Thread { listener.listenUntilOver() }.start()
    }

    public var frameCount: Int { listener.state.withLock { $0.sound.channels[0].count } }

    /// Ends the program.
    public func end() -> TimedSound {
        listener.end()
        listener.ended.wait()
        return listener.state.withLock { $0.sound }
    }

    deinit { listener.end() }
}

/// The program and the thread that reads what it writes.
private final class Listener: Sendable {
    struct State: Sendable {
        var sound = TimedSound(channelCount: 2)
        var program: pid_t?
        var isOver = false
    }

    let state = Mutex(State())
    let ended = DispatchSemaphore(value: 0)
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    func end() {
        state.withLock { state in
            state.isOver = true
            if let program = state.program { kill(program, SIGKILL) }
        }
    }

    func listenUntilOver() {
        while !state.withLock({ $0.isOver }) {
            listen()
            Thread.sleep(forTimeInterval: 0.05)
        }
        ended.signal()
    }

    /// Returns when the program has ended.
    private func listen() {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return }
        let isOver = state.withLock { state in
            state.program = process.processIdentifier
            return state.isOver
        }
        if isOver { kill(process.processIdentifier, SIGKILL) }
        var rest = Data()
        while case let new = output.fileHandleForReading.availableData, !new.isEmpty {
            rest.append(new)
            let frames = rest.prefix(rest.count / 8 * 8)
            rest = Data(rest.dropFirst(frames.count))
            take(frames)
        }
        state.withLock { $0.program = nil }
        process.waitUntilExit()
    }

    private func take(_ frames: Data) {
        state.withLock { state in
            frames.withUnsafeBytes { raw in
                for index in 0..<raw.count / 4 {
                    let bits = raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                    state.sound.channels[index % 2].append(Float(bitPattern: bits))
                }
            }
            state.sound.noteArrival()
        }
    }
}
