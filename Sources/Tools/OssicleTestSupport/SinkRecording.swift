import Foundation
import Synchronization

/// What a sink plays, recorded at its monitor by the server's own program `parec`: the left channel at 48 kHz.
public final class SinkRecording: Sendable {
    private let program: pid_t
    private let bytes: Bytes

    private final class Bytes: Sendable { let all = Mutex(Data()) }

    /// Returns when the recording has begun.
    /// - Parameter server: nil for the process's own.
    public init(of sink: String = SoundServer.sink, server: String? = nil) throws {
        let (process, output, bytes) = (Process(), Pipe(), Bytes())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["parec", "--device=\(sink).monitor", "--format=float32le", "--rate=48000", "--channels=2"]
            + [SoundServer.witnessLatency] + (server.map { ["--server=" + $0] } ?? [])
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        output.fileHandleForReading.readabilityHandler = { handle in
            let new = handle.availableData
            if new.isEmpty { handle.readabilityHandler = nil } else { bytes.all.withLock { $0.append(new) } }
        }
        try process.run()
        (program, self.bytes) = (process.processIdentifier, bytes)
        _ = SoundServer.eventually { bytes.all.withLock { !$0.isEmpty } }
    }

    deinit { kill(program, SIGKILL) }

    /// The frames so far.
    public var sound: [Float] {
        let data = bytes.all.withLock { $0 }
        return data.withUnsafeBytes { raw in
            (0..<raw.count / 8).map { Float(bitPattern: raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt32.self)) }
        }
    }

    /// Waits until the last half second is one tone within 0.1 Hz of `frequency` and 0.1 dB of `level`, in dB, with all
    /// else 40 dB below it; twenty seconds at most.
    public func hasTone(_ frequency: Double, level: Double) -> Bool {
        SoundServer.eventually {
            let tone = Measure.pitch(near: frequency, in: Array(sound.suffix(24_000)))
            return tone.signalToNoise > 40 && (tone.frequency - frequency).magnitude < 0.1
                && (Measure.decibels(tone.amplitude) - level).magnitude < 0.1
        }
    }

    /// Waits until the last quarter of a second is silent; twenty seconds at most.
    public func isSilent() -> Bool {
        SoundServer.eventually {
            let end = sound.suffix(12_000)
            return end.count == 12_000 && end.allSatisfy { $0 == 0 }
        }
    }
}
