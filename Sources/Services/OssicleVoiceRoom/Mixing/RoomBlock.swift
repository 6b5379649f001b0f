import OssicleCore
import OssicleDSP

/// The grid of the mixer: talkers are transformed once for all listeners, 10 ms at a time.
///
///     talker ──▶ spectrum of the last N frames ──┬─▶ × filters of listener 1 ─▶ sum ─▶ inverse ─▶ the last 10 ms
///                                                └─▶ × filters of listener 2 ─▶ sum ─▶ …                (overlap-save)
enum RoomBlock {
    static let sampleRate = 48_000.0
    static let frames = 480
    /// Of a packet of 20 ms.
    static let perPacket = 2
    static let packetFrames = perPacket * frames
    static let transformCount = 1024
    static let binCount = transformCount / 2 + 1
    /// Taps that a filter has at most, its delay included.
    static let mostTaps = transformCount - frames + 1
}

/// Four rows of bins: left real, left imaginary, right real, right imaginary.
struct EarSpectra: ~Copyable {
    private let memory = SampleMemory(count: 4 * RoomBlock.binCount)

    subscript(row: Int) -> UnsafeMutablePointer<Float> { memory.pointer + row * RoomBlock.binCount }

    func clear() { memory.clear() }
}

/// The spectra of one talker's last N frames at the end of each block of a packet.
struct TalkerSpectra: ~Copyable {
    private let history = SampleMemory(
        count: RoomBlock.transformCount + (RoomBlock.perPacket - 1) * RoomBlock.frames)
    private let real = SampleMemory(count: RoomBlock.perPacket * RoomBlock.binCount)
    private let imaginary = SampleMemory(count: RoomBlock.perPacket * RoomBlock.binCount)
    private let fourier = RealFourierTransform(count: RoomBlock.transformCount)
    /// Frames since the last packet that was not silent.
    private var silentFrames = RoomBlock.transformCount

    /// Whether there is anything in them.
    var isSounding: Bool { silentFrames < RoomBlock.transformCount + RoomBlock.packetFrames }

    /// Takes the next packet's frames.
    mutating func take(_ packet: UnsafePointer<Float>, isSilent: Bool) {
        silentFrames = isSilent ? min(silentFrames + RoomBlock.packetFrames, 1 << 20) : 0
        let kept = RoomBlock.transformCount - RoomBlock.frames
        history.pointer.update(from: history.pointer + RoomBlock.packetFrames, count: kept)
        (history.pointer + kept).update(from: packet, count: RoomBlock.packetFrames)
        guard isSounding else { return }
        for block in 0..<RoomBlock.perPacket {
            fourier.forward(
                history.pointer + block * RoomBlock.frames, real: real.pointer + block * RoomBlock.binCount,
                imaginary: imaginary.pointer + block * RoomBlock.binCount)
        }
    }

    /// Adds a block through filters to sums, bin by bin.
    func add(_ block: Int, through filter: borrowing EarSpectra, to sums: borrowing EarSpectra) {
        let (xr, xi) = (real.pointer + block * RoomBlock.binCount, imaginary.pointer + block * RoomBlock.binCount)
        for ear in stride(from: 0, to: 4, by: 2) {
            let (hr, hi, yr, yi) = (filter[ear], filter[ear + 1], sums[ear], sums[ear + 1])
            for k in 0..<RoomBlock.binCount {
                yr[k] += xr[k] * hr[k] - xi[k] * hi[k]
                yi[k] += xr[k] * hi[k] + xi[k] * hr[k]
            }
        }
    }
}

/// Makes the filters of both ears for a direction: taps, delays between samples and a gain as one spectrum.
struct EarFilterDesign: ~Copyable {
    private let head: HRTFTable
    private let fourier = RealFourierTransform(count: RoomBlock.transformCount)
    private let taps: SampleMemory

    /// - Parameter head: for 48 kHz; longer filters than `RoomBlock.mostTaps` allows with their delay are cut.
    init(head: HRTFTable) {
        self.head = head
        taps = SampleMemory(count: 2 * max(RoomBlock.transformCount, head.tapCount))
    }

    /// - Parameter direction: right, up, back.
    func make(_ direction: Vector, gain: Float, into spectra: borrowing EarSpectra) {
        let (left, right) = (taps.pointer, taps.pointer + max(RoomBlock.transformCount, head.tapCount))
        taps.clear()
        let delays = head.interpolate(SIMD3<Float>(direction), left: left, right: right)
        for (ear, delay) in [(left, delays.left), (right, delays.right)].enumerated().map({ ($0, $1) }) {
            let (samples, lag) = delay
            let limit = RoomBlock.mostTaps - Int(lag) - 1
            if head.tapCount > limit { (samples + limit).update(repeating: 0, count: head.tapCount - limit) }
            fourier.forward(samples, real: spectra[2 * ear], imaginary: spectra[2 * ear + 1])
            turn(spectra[2 * ear], spectra[2 * ear + 1], delay: Double(lag), gain: Double(gain))
        }
    }

    /// Delays by e^(−jωd): the turn from bin to bin is the same.
    private func turn(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, delay: Double, gain: Double
    ) {
        let step = DeterministicMath.sincos(-2 * DeterministicMath.pi * delay / Double(RoomBlock.transformCount))
        var (cos, sin) = (gain, 0.0)
        for k in 0..<RoomBlock.binCount {
            let (a, b) = (Double(real[k]), Double(imaginary[k]))
            real[k] = Float(a * cos - b * sin)
            imaginary[k] = Float(a * sin + b * cos)
            (cos, sin) = (cos * step.cos - sin * step.sin, cos * step.sin + sin * step.cos)
        }
    }
}
