import COssicle
import OssicleCore
import OssicleDSP

/// Echo cancelling between what an engine or unit plays and what it captures.
///
///     output ──▶ takeReference ─▶ mean of the channels ─▶ delay ─┐ far
///     input ──▶ captured ─▶ mean of the channels ────────────────┴▶ EchoCanceller ─▶ process ─▶ every channel
///
/// Both have one clock. The frame that is captured at a position is processed with the far frame of `farDelay` frames
/// before, which has been rendered by then in whatever order input and output are rendered: an echo that arrives
/// earlier than that is not cancelled, which no loudspeaker and microphone do. A call that does not begin where the
/// last one ended begins anew. Memory is allocated in `init` only. Render side, except for `init` and `controls`.
package final class VoiceProcessor: @unchecked Sendable {
    /// Rates in Hz that can be processed.
    package static let sampleRates = VoiceGrid.sampleRates

    package let sampleRate: Double
    /// Channels of the microphone.
    package let channelCount: Int
    package let controls: VoiceControls
    /// Frames by which the output is behind what is captured.
    package let latency: Int
    private let state: UnsafeMutablePointer<State>
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let isSilent: UnsafeMutablePointer<UnsafeMutablePointer<Bool>>
    private let memory: SampleMemory

    /// - Parameters:
    ///   - sampleRate: in Hz, within `sampleRates`.
    ///   - channelCount: of the microphone.
    ///   - farDelay: frames, at least those of one call.
    ///   - maximumFrames: of one call.
    package init(
        sampleRate: Double, channelCount: Int, controls: VoiceControls, farDelay: Int = Grid.quantum,
        maximumFrames: Int = Grid.quantum
    ) {
        (self.sampleRate, self.controls) = (sampleRate, controls)
        self.channelCount = max(channelCount, 1)
        memory = SampleMemory(count: self.channelCount * maximumFrames)
        planes = .allocate(capacity: self.channelCount)
        for channel in 0..<self.channelCount { planes[channel] = memory.pointer + channel * maximumFrames }
        isSilent = .allocate(capacity: 1)
        isSilent.pointee = .allocate(capacity: 1)
        isSilent.pointee.pointee = false
        state = .allocate(capacity: 1)
        state.initialize(to: State(sampleRate, farDelay: farDelay, maximumFrames: maximumFrames))
        latency = state.pointee.latency
    }

    deinit {
        state.deinitialize(count: 1).deallocate()
        isSilent.pointee.deallocate()
        isSilent.deallocate()
        planes.deallocate()
    }

    /// Where a call writes what was captured, before `process`.
    package var captured: Ports {
        isSilent.pointee.pointee = false
        return Ports(
            inputs: UnsafePointer(planes), inputCount: 0, outputs: UnsafePointer(planes), outputCount: channelCount,
            inputFlags: UnsafePointer(isSilent), outputFlags: UnsafePointer(isSilent), outputPortCount: 1)
    }

    /// Takes what the loudspeaker is given.
    package func takeReference(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, frames: Int, at position: Int64
    ) {
        state.pointee.takeReference(channels, count, frames, position)
    }

    /// Says, ahead of `process`, that captured frames are missing in what it is given, or ahead of it: the echo may
    /// come later or earlier from then on.
    package func noteBreak() { state.pointee.canceller.noteBreak() }

    /// Writes the processed sound of `captured` to every channel of `outputs`.
    /// - Parameter isMuted: whether the program has muted what it records, besides `controls`.
    package func process(
        to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, frames: Int, at position: Int64,
        isMuted: Bool
    ) {
        let muted = isMuted || controls.isMuted
        state.pointee.process(planes, channelCount, frames, position, controls)
        controls.report(
            isSpeech: state.pointee.canceller.state.isSpeech, isFarActive: state.pointee.farPower > 1e-6,
            isMuted: muted)
        for channel in 0..<count {
            if muted {
                Mixing.clear(outputs[channel], frames)
            } else {
                outputs[channel].update(from: state.pointee.wet.pointer, count: frames)
            }
        }
    }
}

extension VoiceProcessor {
    fileprivate struct State: ~Copyable {
        /// Frames from processed sound to sound that passes as it is.
        private static let bypassGlide = 512

        var canceller: EchoCanceller
        let latency: Int
        let wet: SampleMemory
        /// Of the far signal, smoothed over some blocks.
        private(set) var farPower: Float = 0
        private let farDelay: Int
        /// What was played, round and round.
        private let played: SampleMemory
        private let far: SampleMemory
        private let microphone: SampleMemory
        /// What was captured, for as long as the canceller takes.
        private let dry: SampleMemory
        private var dryPlace = 0
        /// 0 … `bypassGlide`.
        private var bypass = 0
        private var playedBegin: Int64 = 0
        private var playedEnd: Int64 = 0
        private var next: Int64 = -1

        init(_ sampleRate: Double, farDelay: Int, maximumFrames: Int) {
            canceller = EchoCanceller(sampleRate: sampleRate)
            latency = canceller.latency
            self.farDelay = farDelay
            var size = Grid.quantum
            while size < 2 * (farDelay + maximumFrames) { size *= 2 }
            played = SampleMemory(count: size)
            far = SampleMemory(count: maximumFrames)
            microphone = SampleMemory(count: maximumFrames)
            wet = SampleMemory(count: maximumFrames)
            dry = SampleMemory(count: latency)
        }

        mutating func takeReference(
            _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int, _ position: Int64
        ) {
            if position != playedEnd { playedBegin = position }
            let (mask, gain) = (Int64(played.count - 1), 1 / Float(max(count, 1)))
            for i in 0..<frames {
                var sum: Float = 0
                for channel in 0..<count { sum += channels[channel][i] }
                played[Int((position + Int64(i)) & mask)] = sum * gain
            }
            playedEnd = position + Int64(frames)
        }

        mutating func process(
            _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int,
            _ position: Int64, _ controls: borrowing VoiceControls
        ) {
            if position != next { restart() }
            next = position + Int64(frames)
            mean(planes, count, frames)
            readFar(frames, position - Int64(farDelay))
            canceller.controlsLevel = controls.controlsLevel
            canceller.process(far: far.pointer, microphone: microphone.pointer, output: wet.pointer, frames: frames)
            mixDry(frames, controls.isBypassed)
        }

        private mutating func restart() {
            canceller.reset()
            dry.clear()
            (dryPlace, farPower) = (0, 0)
        }

        private func mean(_ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int) {
            let gain = 1 / Float(count)
            for i in 0..<frames {
                var sum: Float = 0
                for channel in 0..<count { sum += planes[channel][i] }
                microphone[i] = sum * gain
            }
            _ = Mixing.clearNonFinite(microphone.pointer, frames)
        }

        /// What has not been rendered, or no longer is there, is silence.
        private mutating func readFar(_ frames: Int, _ begin: Int64) {
            let (mask, oldest) = (Int64(played.count - 1), max(playedBegin, playedEnd - Int64(played.count)))
            var power: Float = 0
            for i in 0..<frames {
                let place = begin + Int64(i)
                far[i] = place >= oldest && place < playedEnd ? played[Int(place & mask)] : 0
                power += far[i] * far[i]
            }
            farPower += 0.1 * (power / Float(max(frames, 1)) - farPower)
        }

        private mutating func mixDry(_ frames: Int, _ isBypassed: Bool) {
            for i in 0..<frames {
                let late = dry[dryPlace]
                dry[dryPlace] = microphone[i]
                dryPlace = dryPlace + 1 == latency ? 0 : dryPlace + 1
                bypass = isBypassed ? min(bypass + 1, Self.bypassGlide) : max(bypass - 1, 0)
                if bypass == Self.bypassGlide {
                    wet[i] = late
                } else if bypass > 0 {
                    // Not `+=`, at which Swift 6.3 with ThreadSanitizer takes the struct itself for an address, and
                    // ends.
                    wet[i] = wet[i] + Float(bypass) / Float(Self.bypassGlide) * (late - wet[i])
                }
            }
        }
    }
}
