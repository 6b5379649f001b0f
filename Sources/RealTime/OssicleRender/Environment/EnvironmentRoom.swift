import OssicleCore
import OssicleDSP

/// One room of an environment's reverb: fed or not, ringing or at rest.
///
/// It wakes with the first sound, and rests once it has fallen by 90 dB: then, on a grid line, so that the cut of blocks leaves no trace.
package struct EnvironmentRoom: ~Copyable {
    /// Eight signals from around the head become the output's.
    package enum Field {
        case ears(HeadTable)
        case speakers(UnsafeMutablePointer<VBAPPanner>)
    }

    private enum Heard: ~Copyable {
        case ears(DiffuseEars)
        case speakers(DiffuseSpeakers)
    }

    private static var cornerCount: Int { FeedbackDelayNetwork.outputCount }
    /// No head's filters ring longer.
    private static let headFrames = 4096

    private var network: FeedbackDelayNetwork
    private var heard: Heard
    private var feed = GainRamp(0)
    private var silence = SilenceCount()
    private var isClean = true
    private let ringing: Int
    private let mono = SampleMemory(count: Grid.quantum)
    private let monoTable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let cornerMemory = SampleMemory(count: cornerCount * Grid.quantum)
    private let corners: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    package init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64, field: Field, outputCount: Int) {
        network = FeedbackDelayNetwork(preset.settings(sampleRate: sampleRate, seed: seed), preset.parameters())
        let room = preset.room
        ringing = Int(sampleRate * (1.5 * Double(room.t60.lanes.max()) + room.mixingTime)) + 2 * Grid.quantum
        heard = switch field {
        case .ears(let head): .ears(DiffuseEars(head: head, latency: Int(FractionalDelayLine.minimumDelay)))
        case .speakers(let panner): .speakers(DiffuseSpeakers(panner: panner, count: outputCount))
        }
        monoTable = .allocate(capacity: 1)
        monoTable.initialize(to: mono.pointer)
        corners = .allocate(capacity: Self.cornerCount)
        for corner in 0..<Self.cornerCount { (corners + corner).initialize(to: cornerMemory.pointer + corner * Grid.quantum) }
    }

    deinit {
        monoTable.deallocate()
        corners.deallocate()
    }

    /// Opens or closes the door to new sound.
    mutating func setFeed(_ gain: Float, frames: Int) { feed.setTarget(gain, frames: frames) }

    /// Stops ringing, at the next grid line.
    mutating func hush() { silence.skip(to: ringing) }

    /// Forgets everything now. For a time when nobody waits for sound.
    mutating func reset(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>>) {
        network.reset()
        for _ in 0..<Self.headFrames / Grid.quantum { listen(outputs, Grid.quantum) }
        silence.reset()
        isClean = true
    }

    /// Writes the outputs, if there is anything to hear.
    /// - Returns: whether there is.
    mutating func process(_ input: UnsafePointer<Float>, isSilent: Bool, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                          _ frames: Int, isLine: Bool) -> Bool {
        if isLine, !isClean, silence.frames >= ringing {
            network.reset()
            isClean = true
        }
        let wasOver = isClean && silence.frames >= ringing + Self.headFrames
        let isShut = feed.isIdle && feed.target == 0
        feed.process(from: input, to: mono.pointer, frames)
        silence.listen(UnsafePointer(monoTable), 1, isSilent: isSilent || isShut, frames)
        let hasInput = silence.frames < frames
        if wasOver && !hasInput { return false }
        if hasInput { isClean = false }
        listen(outputs, frames)
        return true
    }

    private mutating func listen(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        network.process(mono.pointer, outputs: UnsafePointer(corners), frames)
        switch heard {
        case .ears(let ears): ears.process(UnsafePointer(corners), left: outputs[0], right: outputs[1], frames)
        case .speakers(let speakers): speakers.process(UnsafePointer(corners), to: outputs, frames)
        }
    }
}
