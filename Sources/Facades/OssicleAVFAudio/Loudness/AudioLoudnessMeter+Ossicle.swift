// Loudness while a sound goes by: an addition to Apple's interface.

import OssicleCoreAudioTypes
import OssicleFiles

/// Measures the loudness of a stream, buffer by buffer, in memory that does not grow with it: integrated loudness and
/// range come from histograms in steps of 0.1 LU, those of a buffer or a file from every block. Safe to use from
/// several threads, one call at a time, for instance from a tap; not for the audio thread.
///
///     let meter = try AudioLoudnessMeter(format: engine.mainMixerNode.outputFormat(forBus: 0))
///     engine.mainMixerNode.installTap(onBus: 0, bufferSize: 4800, format: nil) { buffer, _ in try? meter.process(buffer) }
public final class AudioLoudnessMeter: @unchecked Sendable {
    /// The format of the buffers.
    public let format: AVAudioFormat

    private let lock = NSLock()
    private let memory: LoudnessMeter.Memory
    private var meter: LoudnessMeter

    /// Throws unless the format is linear PCM of 1 to 64 channels at 16 Hz to 2.8224 MHz.
    public convenience init(format: AVAudioFormat) throws {
        try self.init(format: format, memory: .histogram)
    }

    init(format: AVAudioFormat, memory: LoudnessMeter.Memory) throws {
        self.format = format
        self.memory = memory
        meter = try Self.meter(format, memory)
    }

    /// Takes the valid frames of `buffer`. Throws when it has another format.
    public func process(_ buffer: AVAudioPCMBuffer) throws {
        let standard = format.processing(.pcmFormatFloat32, interleaved: false)
        guard buffer.format == format, let plain = buffer.converted(to: standard), let planes = plain.floatChannelData
        else {
            throw OssicleError.avfaudio(
                kAudio_ParamError, "AudioLoudnessMeter", value: "a buffer of \(buffer.format)",
                rule: "Buffers have the meter's format, \(format).",
                cure: "Make a meter for \(buffer.format).")
        }
        lock.withLock {
            meter.add((0..<Int(format.channelCount)).map { UnsafePointer(planes[$0]) }, frames: Int(plain.frameLength))
        }
    }

    /// Loudness of the last 400 ms, in LUFS; −infinity for silence and before there is as much.
    public var momentary: Double { lock.withLock { meter.momentary } }
    /// Loudness of the last 3 s, in LUFS; −infinity for silence and before there is as much.
    public var shortTerm: Double { lock.withLock { meter.shortTerm } }
    /// The loudness of everything since the beginning or the last reset.
    public var loudness: AudioLoudness { AudioLoudness(lock.withLock { LoudnessMeasurement(meter) }) }

    /// Begins anew.
    public func reset() {
        guard let fresh = try? Self.meter(format, memory) else { return }
        lock.withLock { meter = fresh }
    }

    private static func meter(_ format: AVAudioFormat, _ memory: LoudnessMeter.Memory) throws -> LoudnessMeter {
        let meter = LoudnessMeter(
            channelCount: Int(format.channelCount), sampleRate: format.sampleRate, labels: format.streamLabels,
            memory: memory)
        guard format.isPCM, let meter else {
            throw refusal(format)
        }
        return meter
    }

    static func refusal(_ format: AVAudioFormat) -> OssicleError {
        .avfaudio(
            kAudioFormatUnsupportedDataFormatError, "AudioLoudnessMeter", value: "\(format)",
            rule: "Loudness is measured of linear PCM of 1 to 64 channels at 16 Hz to 2.8224 MHz.",
            cure: "Convert the sound first.")
    }
}
