// Listening in on a bus.

import Dispatch
import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback

/// Gets a buffer of what flowed over a bus, and the time of its first frame.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

extension AVAudioNode {
    /// Hands what flows over an output bus to `tapProvider`, `bufferSize` frames at a time, on a queue of its own.
    ///
    /// `bufferSize` is a wish: 64 frames … 2^20 are exact, others are moved into that range. Only where the flow ends
    /// may a buffer be shorter, so read `frameLength`. A bus may have several taps. `format`: `nil` for the bus's, as
    /// it is when data flows. On a connected bus rate and channels must be the bus's, and only the form of the samples
    /// may differ; on one that is not connected it becomes the bus's. The tap of an input node converts to any linear
    /// PCM, in buffers of exactly `bufferSize` frames too: 16 kHz and one channel for speech, say. Throws for a bus
    /// there is not and for a format that does not fit.
    public func installAudioTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        tapProvider: @escaping @Sendable (AVReadOnlyAudioPCMBuffer, AVAudioTime) -> Void
    ) throws {
        try addTap(bus, bufferSize, format) { buffer, time in
            tapProvider(AVReadOnlyAudioPCMBuffer(owning: buffer), time)
        }
    }

    /// As `installAudioTap`; an error is recorded.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        let record: (any Error) -> Void = { [home] in home.machine?.errors.record($0) }
        do { try addTap(bus, bufferSize, format, tapBlock) } catch { record(error) }
    }

    /// Ends all taps on a bus. What they had collected is handed over, though it fills no buffer. Nothing happens
    /// without one.
    public func removeTap(onBus bus: AVAudioNodeBus) { removeTaps { $0.bus == bus } }

    /// Ends some of the taps, as `removeTap(onBus:)`.
    func removeTaps(where isGone: (Tap) -> Bool) {
        let gone = taps.remove(isGone)
        guard !gone.isEmpty else { return }
        home.machine?.locked { home.machine?.reinstall() }
        for tap in gone { tap.flush() }
    }

    /// As `installAudioTap`, for who ends this very tap later.
    @discardableResult
    func addTap(
        _ bus: AVAudioNodeBus, _ size: AVAudioFrameCount, _ format: AVAudioFormat?,
        _ block: @escaping AVAudioNodeTapBlock
    ) throws -> Tap {
        guard bus >= 0, bus < numberOfOutputs else {
            throw GraphFault.unknownBus(self, bus, "output", count: numberOfOutputs)
        }
        let tap: Tap
        if let format, let own = convertedFormat(format, bus) {
            let wished = Tap.size(Int(size))
            let source = Tap.size(TapConversion.sourceSize(for: wished, from: own, to: format))
            let conversion = TapConversion(to: format, size: wished, sourceSize: source, block)
            tap = Tap(self, bus: bus, bufferSize: source, deliver: tapDelivery(in: nil, conversion.take))
        } else {
            if let format { try adopt(format, bus) }
            tap = Tap(self, bus: bus, bufferSize: Int(size), deliver: tapDelivery(in: format, block))
        }
        taps.add(tap)
        home.machine?.locked { home.machine?.reinstall() }
        return tap
    }

    /// The bus's format, where a tap of another rate or other channels converts: at an input that has one.
    private func convertedFormat(_ format: AVAudioFormat, _ bus: AVAudioNodeBus) -> AVAudioFormat? {
        let own = outputFormat(forBus: bus)
        guard self is AVAudioInputNode, own.sampleRate > 0, own.channelCount > 0, format.isPCM,
            format.commonFormat != .otherFormat, format.sampleRate >= 1, format.channelCount >= 1
        else { return nil }
        return own.sampleRate == format.sampleRate && own.channelCount == format.channelCount ? nil : own
    }

    private func adopt(_ format: AVAudioFormat, _ bus: AVAudioNodeBus) throws {
        guard format.isPCM, format.commonFormat != .otherFormat, format.sampleRate >= 1, format.channelCount >= 1 else {
            throw GraphFault.badFormat(self, format)
        }
        let own = outputFormat(forBus: bus)
        if own.sampleRate == format.sampleRate, own.channelCount == format.channelCount { return }
        guard let machine = home.machine, machine.locked({ machine.model.wires(from: self, bus).isEmpty }) else {
            throw OssicleError.avfaudio(
                kAudioUnitErr_FormatNotSupported, title, value: "a tap in \(format) on a bus in \(own)",
                rule: "The tap of a connected bus has the bus's rate and channels.",
                cure: "Pass nil, or the bus's format.")
        }
        machine.locked { machine.model.setFormat(format.standardCounterpart, of: BusKey(self, .output, bus: bus)) }
    }
}

extension AVAudioNode: TapHost {
    package func tappedFormat(_ bus: AVAudioNodeBus) -> any TapFormat { outputFormat(forBus: bus) }

    package func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64 {
        home.machine.map { tapClock(of: $0).hostTime(of: frame, rate) } ?? 0
    }

    package func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        guard let machine = home.machine else { return queue.async(execute: block) }
        machine.session.runTapBlock("A tap block on \(title)", on: queue, block)
    }
}

extension AVAudioPCMBuffer: TapBuffer {
    package var planes: UnsafePointer<UnsafeMutablePointer<Float>>? { floatChannelData }

    package func setLength(_ frames: Int) { frameLength = AVAudioFrameCount(frames) }
}

/// Calls a client's tap block.
/// - Parameter form: of the client's buffers; nil for the bus's.
func tapDelivery(in form: AVAudioFormat?, _ block: @escaping AVAudioNodeTapBlock) -> Tap.Block {
    { buffer, time in
        guard let buffer = buffer as? AVAudioPCMBuffer else { return }
        block(
            form.flatMap { buffer.converted(to: $0) } ?? buffer,
            AVAudioTime(hostTime: time.hostTime, sampleTime: time.frame, atRate: time.sampleRate))
    }
}
