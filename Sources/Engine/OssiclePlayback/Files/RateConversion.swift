import OssicleCore
import OssicleDSP
import OssicleFiles

/// Frames at another rate: windowed-sinc interpolation (`SincInterpolator`), the same bytes on every machine and
/// however it is read.
///
/// Output frame n lies at input frame n · inputRate / outputRate, computed anew for every run of 1024 frames, so that
/// nothing drifts over hours. Before the first and behind the last input frame there is silence. n input frames make ⌈n
/// · outputRate / inputRate⌉.
final class RateConversion: FrameSource {
    private let input: any FrameSource
    private let inputRate: Double
    private let outputRate: Double
    private let step: UInt64
    private let table: UnsafePointer<SincTable>
    private let length: Int64

    /// Input frames from `first` on, of which `filled` are there.
    private let window: [SampleBlock]
    private let capacity: Int
    private var first: Int64
    private var filled: Int
    private var inputEnded = false

    /// A run of output frames, and how much of it has been taken.
    private let run: [SampleBlock]
    private var runStart: Int64 = 0
    private var runLength = 0
    private var taken = 0

    private static var runFrames: Int { 1024 }

    /// Converts by a chain of conversions, each within the ratios a table may have.
    static func chain(
        _ input: any FrameSource, channels: Int, frames: Int64, from inputRate: Double, to outputRate: Double
    ) -> any FrameSource {
        let largest = SincTable.ratios.upperBound
        guard inputRate > outputRate * largest else {
            return RateConversion(input, channels: channels, frames: frames, from: inputRate, to: outputRate)
        }
        let between = inputRate / largest
        let first = RateConversion(input, channels: channels, frames: frames, from: inputRate, to: between)
        return chain(first, channels: channels, frames: first.length, from: between, to: outputRate)
    }

    /// Frames that `frames` frames become.
    static func length(_ frames: Int64, from inputRate: Double, to outputRate: Double) -> Int64 {
        let exact = (Double(frames) * outputRate / inputRate).rounded(.up)
        return Int64(exactly: exact) ?? 0
    }

    init(_ input: any FrameSource, channels: Int, frames: Int64, from inputRate: Double, to outputRate: Double) {
        (self.input, self.inputRate, self.outputRate) = (input, inputRate, outputRate)
        length = Self.length(frames, from: inputRate, to: outputRate)
        let ratio = inputRate / outputRate
        step = UInt64((min(ratio, SincTable.ratios.upperBound) * Double(SincInterpolator.unit)).rounded())
        table = SincTable.shared(ratio: ratio)
        let capacity = Int(Double(Self.runFrames) * ratio) + 2 * SincTable.longestReach + 8
        self.capacity = capacity
        window = (0..<channels).map { _ in SampleBlock(capacity) }
        run = (0..<channels).map { _ in SampleBlock(Self.runFrames) }
        // Silence before the first frame.
        filled = table.pointee.lookBehind
        first = -Int64(filled)
    }

    func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        var done = 0
        while done < frames {
            if taken == runLength, try !makeRun() { break }
            let count = min(frames - done, runLength - taken)
            for (plane, block) in zip(planes, run) { (plane + done).update(from: block.pointer + taken, count: count) }
            taken += count
            done += count
        }
        return done
    }

    /// The next run of output frames; false at the end.
    private func makeRun() throws(AudioFileError) -> Bool {
        let start = runStart + Int64(runLength)
        let count = Int(min(Int64(Self.runFrames), length - start))
        guard count > 0 else { return false }
        let place = Double(start) * inputRate / outputRate
        let whole = place.rounded(.down)
        let fraction = UInt64((place - whole) * Double(SincInterpolator.unit))
        drop(before: Int64(whole) - Int64(table.pointee.lookBehind))
        let offset = Int(Int64(whole) - first)
        try fill(
            to: offset + SincInterpolator.framesNeeded(position: fraction, step: step, table: table.pointee, count))
        for (block, samples) in zip(run, window) {
            SincInterpolator.process(
                source: samples.pointer + offset, table: table.pointee, position: fraction, step: step,
                to: block.pointer, count)
        }
        (runStart, runLength, taken) = (start, count, 0)
        return true
    }

    private func drop(before frame: Int64) {
        let gone = Int(min(max(frame - first, 0), Int64(filled)))
        guard gone > 0 else { return }
        for block in window { block.pointer.update(from: block.pointer + gone, count: filled - gone) }
        filled -= gone
        first += Int64(gone)
    }

    private func fill(to needed: Int) throws(AudioFileError) {
        let needed = min(needed, capacity)
        while filled < needed, !inputEnded {
            let count = try input.read(into: window.map { $0.pointer + filled }, frames: needed - filled)
            if count == 0 { inputEnded = true }
            filled += count
        }
        guard filled < needed else { return }
        for block in window { (block.pointer + filled).update(repeating: 0, count: needed - filled) }
        filled = needed
    }

    /// Sample memory as an array's element.
    private final class SampleBlock {
        private let memory: SampleMemory
        init(_ count: Int) { memory = SampleMemory(count: count) }
        var pointer: UnsafeMutablePointer<Float> { memory.pointer }
    }
}
