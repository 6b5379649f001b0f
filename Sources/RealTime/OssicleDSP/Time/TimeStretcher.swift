import OssicleCore

/// Changes speed and pitch, each on its own: a phase vocoder stretches by pitch / rate, a rate converter reads the
/// result by the pitch.
///
///     input ─▶ FrameRing ─▶ PhaseVocoder where StretchMap says ─▶ RateConverter ─▶ output
///                       └─▶ copy, bit for bit, where there is nothing to stretch ─┘
///
/// Output frame 0 lies on input frame 0, and onsets keep their shape and lie where they belong; n input frames become n
/// / rate output frames. At rate 1 and pitch 0 the output is the input, with no look-ahead. Where more than four input
/// frames go into one stretched frame, the first half window and hop pass at the original speed, and onsets are not
/// kept. A new speed is taken up by the first window that is not yet planned, half a window and a hop behind what is
/// heard; a new pitch at once. Changes are led or faded into. Audio thread.
package struct TimeStretcher: ~Copyable, TimeKernel {
    private let channelCount: Int
    private let longestTake: Int
    private var parameters: Parameters
    private var ring: FrameRing
    private var detector: OnsetDetector
    private var map: StretchMap
    private var vocoder: PhaseVocoder
    private var resampler: RateConverter
    /// Stretched frames handed on so far, and those that are complete.
    private var emitted: Int64 = 0
    private var released: Int64 = 0
    private var unit = 0
    private var isCopying = true
    private let scratch: SampleMemory
    private let scratchFrames: Int
    private let lanes: OwnedMemory<UnsafeMutablePointer<Float>>
    private let takes: OwnedMemory<UnsafeMutablePointer<Float>>

    package init(sampleRate: Double, channelCount: Int, longestTake: Int, parameters: Parameters) {
        let window = Self.window(sampleRate)
        self.channelCount = max(channelCount, 1)
        self.longestTake = max(longestTake, 1)
        self.parameters = parameters
        ring = FrameRing(channelCount: self.channelCount, capacity: Self.capacity(self.longestTake, window))
        detector = OnsetDetector(window: window)
        map = StretchMap(window: window)
        vocoder = PhaseVocoder(channelCount: self.channelCount, window: window)
        resampler = RateConverter(
            sampleRate: sampleRate, channelCount: self.channelCount, longestTake: self.longestTake,
            parameters: parameters.resampling)
        scratchFrames = Grid.quantum * 4 + 2 * SincTable.longestVarispeedReach
        scratch = SampleMemory(count: self.channelCount * scratchFrames)
        lanes = OwnedMemory(count: self.channelCount, scratch.pointer)
        takes = OwnedMemory(count: self.channelCount, scratch.pointer)
        for channel in 0..<self.channelCount { lanes.pointer[channel] = scratch.pointer + channel * scratchFrames }
        begin()
    }

    /// About 85 ms, a power of two.
    private static func window(_ sampleRate: Double) -> Int {
        var frames = 512
        while frames < 65_536, Double(frames) * 1.4 < 0.0853 * (sampleRate.isFinite ? sampleRate : 48000) {
            frames *= 2
        }
        return frames
    }

    /// Input frames that have to be at hand at most: those of one take at the highest rate, those the rate converter
    /// reads ahead, and the windows.
    private static func capacity(_ longestTake: Int, _ window: Int) -> Int {
        Int(Parameters.rates.upperBound) * (longestTake + 2 * Grid.quantum) + 7 * window
    }

    /// Input frames beyond the output's position that it needs at most at rate 1.
    package static func lookAhead(sampleRate: Double) -> Int { 4 * window(sampleRate) }

    private mutating func begin() {
        if parameters.slope != 1 { leaveCopying() }
    }

    package mutating func set(_ new: Parameters) {
        let (old, position) = (parameters, resampler.position)
        parameters = new
        resampler.set(new.resampling)
        if isCopying {
            if new.slope != 1 { leaveCopying() }
        } else if new.rate != old.rate || new.pitch != old.pitch || new.overlap != old.overlap {
            let hop = new.hop(window: vocoder.window)
            let floor = map.inputEnd(for: emitted, lookAhead: detector.lookAhead) - Int64(5 * vocoder.window)
            map.turn(slope: new.slope, afterPitch: old.rate / new.pitch, reading: position, hop: hop, floor: floor)
        }
    }

    private mutating func leaveCopying() {
        map.leaveCopying(at: emitted, slope: parameters.slope, hop: parameters.hop(window: vocoder.window))
        vocoder.reset()
        (released, unit, isCopying) = (emitted, 0, false)
    }

    package func framesNeeded(_ frames: Int) -> Int {
        let end = emitted + Int64(resampler.framesNeeded(min(frames, longestTake)))
        return Int(max(inputEnd(for: end) - ring.end, 0))
    }

    private func inputEnd(for frame: Int64) -> Int64 {
        isCopying ? map.copied(frame) : map.inputEnd(for: frame, lookAhead: detector.lookAhead)
    }

    package mutating func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int) {
        ring.append(inputs, offset: offset, frames: frames)
    }

    /// Input that was not given counts as silence.
    package mutating func take(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        var done = 0
        while done < frames {
            let count = min(frames - done, min(longestTake, Grid.quantum))
            ring.append(nil, offset: 0, frames: framesNeeded(count))
            let stretched = resampler.framesNeeded(count)
            emit(stretched)
            resampler.give(lanes.pointer, offset: 0, frames: stretched)
            for channel in 0..<channelCount { takes.pointer[channel] = outputs[channel] + done }
            resampler.take(to: takes.pointer, frames: count)
            done += count
        }
    }

    package mutating func reset() {
        ring.reset()
        detector.reset()
        resampler.reset()
        vocoder.reset()
        map = StretchMap(window: vocoder.window)
        (emitted, isCopying) = (0, true)
        begin()
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        // A window that still reaches back to the end of the sound may lie far behind it where time runs slowly.
        let windows = parameters.slope == 1 ? 0 : 1.5 + 0.5 * max(1 / parameters.slope, 1)
        return windows * Double(window(sampleRate)) / parameters.pitch / max(sampleRate, 1)
            + RateConverter.tailTime(parameters.resampling, sampleRate: sampleRate)
    }

    // MARK: Stretched frames

    /// The next stretched frames, to scratch memory.
    private mutating func emit(_ frames: Int) {
        var done = 0
        while done < frames {
            var count = frames - done
            if isCopying {
                for channel in 0..<channelCount {
                    ring.copy(channel, from: map.copied(emitted), count: count, to: lanes.pointer[channel] + done)
                }
            } else if map.endsInCopying && emitted >= map.segment.output {
                isCopying = true
                continue
            } else {
                while released <= emitted { work() }
                count = min(count, Int(released - emitted))
                if map.endsInCopying { count = min(count, Int(map.segment.output - emitted)) }
                vocoder.overlap.take(emitted, count, to: lanes.pointer, offset: done)
            }
            emitted += Int64(count)
            done += count
        }
    }

    /// One unit of work on the next window, and the share of the last hop that it sets free.
    private mutating func work() {
        if unit == 0 { plan() } else { vocoder.work(unit - 1) }
        unit += 1
        let units = vocoder.unitCount + 1
        let start = map.output - Int64(map.plannedHop + vocoder.window / 2)
        released = max(released, start + Int64(map.plannedHop * unit / units))
        if unit == units { unit = 0 }
    }

    private mutating func plan() {
        if map.wantsOnsets {
            let reach = Int64(vocoder.window / 2 + detector.lookAhead)
            detector.scan(ring, from: map.farthest - Int64(vocoder.window), to: map.farthest + reach)
        }
        let found = detector.next(after: map.passed)
        let onsets = parameters.keepsOnsets ? found : (nil, nil)
        vocoder.isCoherent = parameters.isCoherent
        vocoder.start(map.advance(onsets: onsets), segment: map.segment, ring: ring)
    }
}

extension TimeStretcher {
    /// Speed and pitch, each on its own. Made on the control side.
    package struct Parameters: BitwiseCopyable {
        package static let rates = 1.0 / 32...32.0
        package static let cents = -2400.0...2400.0
        package static let overlaps = 3.0...32.0
        /// Analysis frames are never closer in output time than this.
        private static let leastOverlap = 4.0

        /// Input frames per output frame.
        package let rate: Double
        /// Windows that overlap at any time.
        package let overlap: Double
        /// Whether onsets keep their shape; otherwise windows are spread across them like any other sound.
        package let keepsOnsets: Bool
        /// Whether partials keep their shape in time (identity phase locking).
        package let isCoherent: Bool
        /// What follows the stretch: reads it faster by the pitch ratio.
        let resampling: RateConverter.Parameters

        /// - Parameters:
        ///   - rate: 1/32 … 32 input frames per output frame; NaN is 1.
        ///   - cents: −2400 … 2400; NaN is 0.
        ///   - overlap: 3 … 32 windows; NaN is 8.
        package init(
            rate: Double = 1, cents: Double = 0, overlap: Double = 8, keepsOnsets: Bool = true, isCoherent: Bool = true
        ) {
            (self.keepsOnsets, self.isCoherent) = (keepsOnsets, isCoherent)
            func held(_ value: Double, _ range: ClosedRange<Double>, _ fallback: Double) -> Double {
                value.isNaN ? fallback : min(max(value, range.lowerBound), range.upperBound)
            }
            self.rate = held(rate, Parameters.rates, 1)
            self.overlap = held(overlap, Parameters.overlaps, 8)
            resampling = RateConverter.Parameters(rate: DeterministicMath.exp2(held(cents, Parameters.cents, 0) / 1200))
        }

        /// Ratio of the frequencies, in steps of 2⁻³².
        package var pitch: Double { resampling.ratio }

        /// Input frames per stretched frame. Exactly 1 where stretching has nothing to do.
        var slope: Double { rate / pitch }

        /// Stretched frames from one window to the next. Where pitch goes up, several stretched frames become one
        /// output frame, and the windows move apart by as much: the work stays that of the output's overlap.
        func hop(window: Int) -> Int {
            let dense = pitch > 1 ? max(overlap / pitch, min(overlap, Parameters.leastOverlap)) : overlap
            return Int(Double(window) / dense)
        }
    }
}
