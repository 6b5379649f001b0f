import OssicleCore
import OssicleDSP

/// The first reflections of one source: copies of it, each late, weaker and from a direction of its own, encoded
/// into the ambisonic bus. Ports: in → one without channels, for the order.
///
///     in ──▶ one wall ─┬─▶ delay line ──▶ 6 taps of order 1 ──┬─▶ bus
///                      └─▶ one wall ──▶ delay line ──▶ 18 taps of order 2 ──┘
///
/// All walls of the room are alike, so that one filter per order is exact.
package struct EarlyReflectionsRenderer: ControlledRenderer, ~Copyable {
    package static var firstOrderCount: Int { 6 }
    package static var count: Int { 24 }

    package struct Parameters: BitwiseCopyable {
        /// Frames from the source to the head.
        package var delays: InlineArray<24, Float>
        /// Amplitude in each channel of the bus (`FieldDirection.gains` times the reflection's own).
        package var gains: InlineArray<24, SIMD16<Float>>
        /// What one wall leaves.
        package var wall: BandEqualizerDesign
        /// Changes whenever the design does.
        package var wallVersion: UInt32
        /// Changes when the reflections are other ones, and not the earlier ones moved: these are cross-faded to.
        package var leaps: UInt32
        package var rampFrames: Int

        package init(wall: BandEqualizerDesign, wallVersion: UInt32, leaps: UInt32, rampFrames: Int) {
            (delays, gains) = (InlineArray(repeating: 0), InlineArray(repeating: .zero))
            (self.wall, self.wallVersion, self.leaps, self.rampFrames) = (wall, wallVersion, leaps, rampFrames)
        }

        package static func silent(leaps: UInt32 = 0, rampFrames: Int) -> Parameters {
            Parameters(wall: .silent, wallVersion: 0, leaps: leaps, rampFrames: rampFrames)
        }
    }

    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        /// Frames of output after the input has become silent.
        package let tail: Int
    }

    package var control: Control { Control(cell: cell, tail: tail) }
    private let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    private let tail: Int
    private var first: FractionalDelayLine
    private var second: FractionalDelayLine
    private var firstWall = BandEqualizer()
    private var secondWall = BandEqualizer()
    private let taps = OwnedMemory(count: count, DelayTap(FractionalDelayLine.minimumDelay))
    private let ramps = OwnedMemory(count: count, Ramp<SIMD16<Float>>(.zero))
    private let scratch = SampleMemory(count: 2 * Grid.quantum)
    private let spatializer: Spatializer
    private var wallVersion: UInt32 = 0
    private var leaps: UInt32 = 0
    private var isFresh = true

    /// Reflections later than this many seconds belong to the late field.
    package static var longestTravel: Double { 0.35 }

    package init(sampleRate: Double, spatializer: Spatializer) {
        let longest = Int(Self.longestTravel * sampleRate)
        first = FractionalDelayLine(maximumDelay: longest)
        second = FractionalDelayLine(maximumDelay: longest)
        tail = longest + 2048
        self.spatializer = spatializer
    }

    deinit { cell.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ targets: FieldTargets) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        let frames = context.frames
        let (once, twice) = (scratch.pointer, scratch.pointer + Grid.quantum)
        firstWall.process(from: ports.input(0), to: once, frames)
        secondWall.process(from: once, to: twice, frames)
        first.write(once, frames)
        second.write(twice, frames)
        let (taps, ramps) = (taps.pointer, ramps.pointer)
        // The lines hold what they were given: the scratch memory is free for what comes out of them.
        for index in 0..<Self.firstOrderCount {
            Self.add(&taps[index], &ramps[index], from: first, by: once, to: targets, frames)
        }
        for index in Self.firstOrderCount..<Self.count {
            Self.add(&taps[index], &ramps[index], from: second, by: once, to: targets, frames)
        }
    }

    /// - Parameter sound: memory for what comes out of the line.
    private static func add(
        _ tap: inout DelayTap, _ ramp: inout Ramp<SIMD16<Float>>, from line: borrowing FractionalDelayLine,
        by sound: UnsafeMutablePointer<Float>, to targets: FieldTargets, _ frames: Int
    ) {
        if ramp.isSilent { return tap.skip(frames) }
        line.read(&tap, to: sound, frames)
        targets.add(sound, &ramp, frames)
    }

    /// What is on its way in the reflections of another output arrives in these. While neither renders.
    package mutating func adoptFlight(of other: borrowing EarlyReflectionsRenderer) {
        first.adopt(other.first)
        second.adopt(other.second)
    }

    private mutating func take(_ new: Parameters) {
        let frames = isFresh ? 0 : max(new.rampFrames, Grid.quantum)
        if new.wallVersion != wallVersion || isFresh {
            firstWall.setTarget(new.wall, frames: frames)
            secondWall.setTarget(new.wall, frames: frames)
            wallVersion = new.wallVersion
        }
        let fieldDelay = Float(spatializer.fieldDelay)
        let (taps, ramps) = (taps.pointer, ramps.pointer)
        for index in 0..<Self.count {
            // What falls silent does so where it is: its delay would sweep.
            if new.gains[index] == .zero && !isFresh {
                ramps[index].approach(.zero, frames: frames)
                continue
            }
            let delay =
                FractionalDelayLine.minimumDelay
                + Double(max(new.delays[index] - fieldDelay - Float(FractionalDelayLine.minimumDelay), 0))
            if isFresh {
                taps[index] = DelayTap(delay)
            } else if new.leaps != leaps || ramps[index].isSilent {
                taps[index].jump(to: delay, frames: Grid.quantum)
            } else {
                taps[index].setTarget(delay, frames: frames)
            }
            ramps[index].approach(new.gains[index], frames: frames)
        }
        (leaps, isFresh) = (new.leaps, false)
    }
}
