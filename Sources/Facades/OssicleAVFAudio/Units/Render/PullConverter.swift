import OssicleAudioToolbox
import OssicleChannels
import OssicleCore
import OssicleCoreAudioTypes
import OssicleRender

/// Sound pulled at one format and handed on in another: samples, rate, channels, in this order. Render side, except for
/// `init`.
///
///     pull ──▶ planes at the input's rate ──▶ exit (rate, speed, pitch) ──▶ channel matrix ──▶ planes
final class PullConverter: @unchecked Sendable {
    private let input: PulledInput
    private let exit: ExitReference?
    private let owner: AnyObject?
    private let inputRate: Double
    private let matrix: [Float]
    private let converted: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let bus: Int
    private var position: Int64 = 0
    let outputChannels: Int

    /// - Parameters:
    ///   - exit: what changes the number of frames; `nil` for as many out as in.
    ///   - capacity: frames asked for at once, at most.
    ///   - bus: the input bus that is asked.
    ///   - map: the input channel of each output channel, others for silence; `nil` for what the layouts say.
    init(
        from input: AVAudioFormat, to output: AVAudioFormat, exit: (ExitReference, AnyObject)?, capacity: Int,
        bus: Int = 0, map: [Int]? = nil
    ) {
        self.bus = bus
        self.input = PulledInput(input, capacity: capacity)
        (self.exit, owner, inputRate, outputChannels) = (exit?.0, exit?.1, input.sampleRate, Int(output.channelCount))
        matrix =
            map.map { Self.gains($0, inputs: Int(input.channelCount), outputs: Int(output.channelCount)) }
            ?? ChannelMatrix(
                from: input.channelLabels, to: output.channelLabels, intoMono: .mean
            ).gains
        let channels = max(self.input.channels, 1)
        samples = SampleMemory(count: channels * Grid.quantum)
        converted = .allocate(capacity: channels)
        for channel in 0..<channels { (converted + channel).initialize(to: samples.pointer + channel * Grid.quantum) }
    }

    deinit { converted.deallocate() }

    /// Output by output, the gain of each input.
    private static func gains(_ map: [Int], inputs: Int, outputs: Int) -> [Float] {
        (0..<outputs).flatMap { output in (0..<inputs).map { output < map.count && map[output] == $0 ? 1 : 0 } }
    }

    /// Only while nothing is rendered.
    func reset() {
        exit?.reset()
        position = 0
    }

    /// Renders `frames` frames into one plane per output channel, from `offset` on. What could not be had is silent;
    /// says why.
    func render(
        _ frames: Int, into planes: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, hostTime: UInt64,
        _ pull: AURenderPullInputBlock
    ) -> AUAudioUnitStatus {
        var (done, result) = (0, noErr)
        while done < frames {
            let count: Int
            let status: AUAudioUnitStatus
            if let exit {
                count = min(frames - done, Grid.quantum)
                exit.update()
                status = feed(exit, exit.framesNeeded(count), hostTime, pull)
                exit.take(to: converted, frames: count)
                mix(UnsafePointer(converted), into: planes, offset + done, count)
            } else {
                count = min(frames - done, input.capacity)
                status = ask(count, hostTime, pull)
                mix(input.planes, into: planes, offset + done, count)
            }
            if status != noErr { result = status }
            done += count
        }
        return result
    }

    private func feed(
        _ exit: ExitReference, _ needed: Int, _ hostTime: UInt64, _ pull: AURenderPullInputBlock
    ) -> AUAudioUnitStatus {
        var (left, result) = (needed, noErr)
        while left > 0 {
            let count = min(left, input.capacity)
            let status = ask(count, hostTime, pull)
            if status != noErr { result = status }
            exit.give(input.planes, frames: count)
            left -= count
        }
        return result
    }

    private func ask(_ frames: Int, _ hostTime: UInt64, _ pull: AURenderPullInputBlock) -> AUAudioUnitStatus {
        var time = AudioTimeStamp()
        time.mSampleTime = Double(position)
        time.mHostTime = hostTime
        time.mFlags = hostTime > 0 ? .sampleHostTimeValid : .sampleTimeValid
        position += Int64(frames)
        return input.pull(pull, &time, frames: frames, bus: bus)
    }

    private func mix(
        _ sources: UnsafePointer<UnsafeMutablePointer<Float>>, into planes: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ offset: Int, _ frames: Int
    ) {
        for output in 0..<outputChannels {
            let target = planes[output] + offset
            var isEmpty = true
            for channel in 0..<input.channels {
                let gain = matrix[output * input.channels + channel]
                if gain == 0 { continue }
                let source = sources[channel]
                for frame in 0..<frames {
                    target[frame] = isEmpty ? source[frame] * gain : target[frame] + source[frame] * gain
                }
                isEmpty = false
            }
            if isEmpty { Mixing.clear(target, frames) }
        }
    }
}
