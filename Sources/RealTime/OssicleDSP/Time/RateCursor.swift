import OssicleCore

/// What every kernel offers that takes in another number of frames than it gives out: rate conversion, varispeed, time
/// and pitch.
///
/// It pulls: `framesNeeded` returns how many input frames have to be given before so many output frames can
/// be taken. Output frame 0 lies on input frame 0; the look-ahead that a kernel needs is requested ahead of time,
/// so it adds no delay. Memory is allocated in `init` only, and the cut into calls does not change a byte.
package protocol TimeKernel: ~Copyable {
    associatedtype Parameters: BitwiseCopyable

    /// - Parameter longestTake: the most frames that will ever be taken at once.
    init(sampleRate: Double, channelCount: Int, longestTake: Int, parameters: Parameters)

    /// Applies new parameters, on the audio thread at a control point.
    mutating func set(_ parameters: Parameters)

    /// Input frames still missing before `frames` frames can be taken; 0 if they can be taken now. `frames` is at most
    /// `longestTake`.
    func framesNeeded(_ frames: Int) -> Int

    /// Hands in the next input frames, one buffer per channel, from `offset` on. At most `framesNeeded` of the coming
    /// take.
    mutating func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int)

    /// Takes the next output frames; those that lack input are silent.
    mutating func take(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int)

    /// Clears all memory of input; its parameters stay.
    mutating func reset()

    /// Seconds until the output has fallen silent after the input did.
    static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double
}

/// Where a `RateConverter` reads: positions as exact fractions, and the fade from one way of reading to the next.
///
/// A position is a whole frame and a number of 1/denominator frames. It moves by adding the numerator and carrying, all
/// in integers, so after any number of frames output n lies at n·numerator/denominator with no error at all.
struct RateCursor: BitwiseCopyable {
    /// One position, and the filter it is read through.
    struct Place: BitwiseCopyable {
        var whole: Int64
        var phase: UInt64
        var table: UnsafePointer<SincTable>
    }

    static let fadeFrames = Grid.quantum

    private(set) var speed: RateConverter.Parameters
    private(set) var place: Place
    /// What is faded out while a fade runs.
    private(set) var old: Place
    private(set) var fadeIndex = RateCursor.fadeFrames

    init(_ speed: RateConverter.Parameters) {
        self.speed = speed
        place = Place(whole: 0, phase: 0, table: speed.table)
        old = place
    }

    var isFading: Bool { fadeIndex < RateCursor.fadeFrames }
    /// Nothing before this frame matters, but for the reach of filters.
    var oldest: Int64 { isFading ? min(place.whole, old.whole) : place.whole }
    /// Of the next output, in input frames.
    var position: Double { Double(place.whole) + Double(place.phase) / Double(speed.denominator) }

    mutating func set(_ new: RateConverter.Parameters) {
        if new.denominator != speed.denominator {
            rescale(&place, to: new.denominator)
            rescale(&old, to: new.denominator)
        }
        speed = new
    }

    private func rescale(_ place: inout Place, to denominator: UInt64) {
        let product = place.phase.multipliedFullWidth(by: denominator)
        place.phase = speed.denominator.dividingFullWidth(product).quotient
    }

    /// Frames, up to `limit`, that are read in one way; begins the fade that is due.
    mutating func nextRun(_ limit: Int) -> Int {
        if isFading { return min(limit, RateCursor.fadeFrames - fadeIndex) }
        let mustAlign = speed.isUnity && place.phase != 0 && speed.table.pointee.isTransparent
        guard mustAlign || place.table != speed.table else { return limit }
        (old, fadeIndex) = (place, 0)
        place.table = speed.table
        if mustAlign {
            // At unit speed sound is copied, which needs a whole position: the nearest one.
            if place.phase >= speed.denominator - place.phase { place.whole += 1 }
            place.phase = 0
        }
        return min(limit, RateCursor.fadeFrames)
    }

    /// Whether reading there at the current speed is copying.
    func copies(_ place: Place) -> Bool { speed.isUnity && place.phase == 0 && place.table.pointee.isTransparent }

    /// Index behind the last input frame that a run needs.
    func inputEnd(ofRun frames: Int) -> Int64 {
        let end = inputEnd(place, frames)
        return isFading ? max(end, inputEnd(old, frames)) : end
    }

    private func inputEnd(_ place: Place, _ frames: Int) -> Int64 {
        if copies(place) { return place.whole + Int64(frames) }
        return moved(place, by: frames - 1).whole + Int64(place.table.pointee.lookAhead) + 1
    }

    mutating func advance(_ frames: Int) {
        place = moved(place, by: frames)
        if isFading {
            old = moved(old, by: frames)
            fadeIndex += frames
        }
    }

    private func moved(_ place: Place, by frames: Int) -> Place {
        let sum = place.phase + UInt64(frames) * speed.numerator
        return Place(
            whole: place.whole + Int64(sum / speed.denominator), phase: sum % speed.denominator, table: place.table)
    }
}
