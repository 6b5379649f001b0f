import COssicle
import OssicleCore

/// Plays a stream at another speed, or takes it from one sampling rate to another: y[n] = x(n·numerator/denominator).
///
///     history ──▶ at unit speed: copy, bit for bit, no look-ahead
///             └─▶ else: windowed sinc (`SincTable`)
///
/// Positions are exact fractions (`RateCursor`). The speed may change at any control point: the position continues from
/// where it is, and a change of filter is faded over a quantum; so is the fraction of a frame that the way back to
/// exact copying takes. Audio thread.
package struct RateConverter: ~Copyable, TimeKernel {
    /// Input frames per output frame that any converter can be set to later on.
    private static let fastestPlayback = SincTable.ratios.upperBound
    /// Outputs computed at once.
    private static let blockFrames = 64

    private let channelCount: Int
    private let longestTake: Int
    private let fastest: UInt64
    private let reach: Int
    private var history: FrameHistory
    private var cursor: RateCursor
    private let places: OwnedMemory<ossicle_place>
    private let fading: SampleMemory

    /// - Parameters:
    ///   - sampleRate: not used; a speed is relative.
    ///   - parameters: a later speed may be up to 4 or this one, whichever is faster.
    package init(sampleRate: Double, channelCount: Int, longestTake: Int, parameters: Parameters) {
        self.channelCount = max(channelCount, 1)
        self.longestTake = max(longestTake, 1)
        fastest = UInt64(max(parameters.ratio.rounded(.up), Self.fastestPlayback))
        reach = max(SincTable.longestVarispeedReach, parameters.table.pointee.lookAhead)
        history = FrameHistory(
            channelCount: self.channelCount, reach: reach + 1, ahead: reach + 2 + (self.longestTake + 1) * Int(fastest))
        cursor = RateCursor(parameters)
        places = OwnedMemory(count: Self.blockFrames, ossicle_place())
        fading = SampleMemory(count: 2 * Self.blockFrames)
    }

    /// Of the next output frame, in input frames since the start.
    package var position: Double { cursor.position }

    /// A speed beyond the fastest is held there; one whose filter is longer than the history is ignored.
    package mutating func set(_ parameters: Parameters) {
        guard parameters.table.pointee.lookAhead <= reach else { return }
        cursor.set(Parameters(parameters, atMost: fastest))
    }

    package func framesNeeded(_ frames: Int) -> Int {
        var (ahead, left, end) = (cursor, min(frames, longestTake), history.end)
        while left > 0 {
            let run = ahead.nextRun(left)
            end = max(end, ahead.inputEnd(ofRun: run))
            ahead.advance(run)
            left -= run
        }
        return Int(end - history.end)
    }

    package mutating func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int) {
        history.append(inputs, offset: offset, frames: frames, keeping: cursor.oldest)
    }

    /// Input that was not given counts as silence.
    package mutating func take(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        var done = 0
        while done < frames {
            let run = cursor.nextRun(min(frames - done, longestTake))
            let missing = Int(cursor.inputEnd(ofRun: run) - history.end)
            if missing > 0 { history.append(nil, offset: 0, frames: missing, keeping: cursor.oldest) }
            read(run, to: outputs, offset: done)
            done += run
        }
    }

    package mutating func reset() {
        history.reset()
        cursor = RateCursor(cursor.speed)
    }

    /// Takes over the place of a converter that runs at the same speed, so that both need the same input from here on.
    /// Earlier input counts as silence.
    package mutating func align(with other: borrowing RateConverter) {
        guard other.cursor.speed.table.pointee.lookAhead <= reach else { return }
        cursor = other.cursor
        history.align(with: other.history)
    }

    /// - Parameter sampleRate: of the output, Hz.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        if parameters.isUnity { return 0 }
        return Double(parameters.table.pointee.lookBehind + 1) / parameters.ratio / max(sampleRate, 1)
    }

    // MARK: Reading

    private mutating func read(_ run: Int, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int) {
        var done = 0
        while done < run {
            let count = cursor.isFading || !cursor.copies(cursor.place) ? min(run - done, Self.blockFrames) : run - done
            interpolate(cursor.place, count, outputs, offset + done, mixing: false)
            if cursor.isFading { interpolate(cursor.old, count, outputs, offset + done, mixing: true) }
            cursor.advance(count)
            done += count
        }
    }

    /// Frames read from one place on, to the outputs or mixed under them.
    private func interpolate(
        _ place: RateCursor.Place, _ count: Int, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int,
        mixing: Bool
    ) {
        let copies = cursor.copies(place)
        if !copies { layOutPlaces(from: place.phase, count, place.table) }
        for first in stride(from: 0, to: channelCount, by: 2) {
            let channels = first..<min(first + 2, channelCount)
            func target(_ channel: Int) -> UnsafeMutablePointer<Float> {
                mixing ? fading.pointer + (channel - first) * Self.blockFrames : outputs[channel] + offset
            }
            if copies {
                for channel in channels {
                    target(channel).update(from: history.frames(channel, from: place.whole), count: count)
                }
            } else {
                let (table, start) = (place.table, place.whole - Int64(place.table.pointee.lookBehind))
                let source = history.frames(first, from: start)
                if channels.count == 2 {
                    table.pointee.phases.values(
                        places.pointer, in: (source, history.frames(first + 1, from: start)),
                        to: (target(first), target(first + 1)), count)
                } else {
                    table.pointee.phases.values(places.pointer, in: source, to: target(first), count)
                }
            }
            if mixing {
                for channel in channels { mix(target(channel), under: outputs[channel] + offset, count) }
            }
        }
    }

    private func layOutPlaces(from phase: UInt64, _ count: Int, _ table: UnsafePointer<SincTable>) {
        let (numerator, denominator) = (cursor.speed.numerator, cursor.speed.denominator)
        let (wholeStep, phaseStep) = (Int(numerator / denominator), numerator % denominator)
        let scale = 1 / Double(denominator)
        let rows = table.pointee.phases.rows(perPartOf: denominator)
        var (window, phase) = (0, phase)
        for i in 0..<count {
            places.pointer[i] =
                if let rows {
                    ossicle_place(window: Int32(truncatingIfNeeded: window), row: Int32(Int(phase) * rows), weight: 0)
                } else {
                    table.pointee.phases.place(window, fraction: Double(phase) * scale)
                }
            window += wholeStep
            phase += phaseStep
            if phase >= denominator {
                phase -= denominator
                window += 1
            }
        }
    }

    /// output = old + (output − old)·i/n, i counted from the start of the fade.
    private func mix(_ old: UnsafePointer<Float>, under output: UnsafeMutablePointer<Float>, _ count: Int) {
        for i in 0..<count {
            let weight = Float(cursor.fadeIndex + i) * (1 / Float(RateCursor.fadeFrames))
            output[i] = old[i] + (output[i] - old[i]) * weight
        }
    }
}

extension RateConverter {
    /// A speed as a fraction, and the filter for it. Made on the control side.
    package struct Parameters: BitwiseCopyable {
        /// Input frames per output frame are `numerator / denominator`; the denominator is at most 2³².
        package let numerator: UInt64
        package let denominator: UInt64
        package let table: UnsafePointer<SincTable>

        /// A playing speed: 0.25 … 4 input frames per output frame, in steps of 2⁻³². Held within that range, NaN is 1.
        package init(rate: Double) {
            (numerator, denominator) = (
                SincInterpolator.step(ratio: max(rate, SincTable.ratios.lowerBound)), SincInterpolator.unit
            )
            table = SincTable.varispeed(ratio: rate)
        }

        /// A conversion between two sampling rates in Hz, up to 48 times apart; what is not a positive number counts as
        /// equal rates.
        ///
        /// The fraction is in lowest terms and therefore exact, as long as its denominator fits 32 bits (any two whole
        /// rates do).
        package init(from input: Double, to output: Double) {
            (numerator, denominator) = Parameters.fraction(from: input, to: output)
            table =
                numerator == denominator
                ? SincTable.varispeed(ratio: 1) : SincTable.shared(numerator: numerator, denominator: denominator)
        }

        /// The same, for a speed that may glide: as exact in time, through one of the few filters for playing speeds
        /// instead of one of its own.
        package init(gliding input: Double, to output: Double) {
            (numerator, denominator) = Parameters.fraction(from: input, to: output)
            let ratio = Double(numerator) / Double(denominator)
            table =
                ratio <= SincTable.ratios.upperBound
                ? SincTable.varispeed(ratio: ratio)
                : SincTable.shared(numerator: UInt64(ratio.rounded(.up)), denominator: 1)
        }

        private static func fraction(from input: Double, to output: Double) -> (UInt64, UInt64) {
            let known = input > 0 && output > 0 && input.isFinite && output.isFinite
            let ratio =
                known
                ? min(max(input / output, SincTable.conversionRatios.lowerBound), SincTable.conversionRatios.upperBound)
                : 1
            return (known && ratio == input / output ? fraction(input, output) : nil)
                ?? (UInt64((ratio * Double(SincInterpolator.unit)).rounded()), SincInterpolator.unit)
        }

        /// As fast as `self` where that is at most `limit` input frames per output frame.
        init(_ other: Parameters, atMost limit: UInt64) {
            numerator = min(other.numerator, limit * other.denominator)
            (denominator, table) = (other.denominator, other.table)
        }

        package var isUnity: Bool { numerator == denominator }
        package var ratio: Double { Double(numerator) / Double(denominator) }

        /// a / b in lowest terms: every Double is a whole number after enough doublings.
        private static func fraction(_ a: Double, _ b: Double) -> (UInt64, UInt64)? {
            var (a, b) = (a, b)
            while a != a.rounded() || b != b.rounded() { (a, b) = (2 * a, 2 * b) }
            guard a < 0x1p53, b < 0x1p53 else { return nil }
            let (x, y) = (UInt64(a), UInt64(b))
            var (divisor, rest) = (x, y)
            while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
            return y / divisor <= SincInterpolator.unit ? (x / divisor, y / divisor) : nil
        }
    }
}
