import OssicleCore

/// A measured room for a reverb effect: a convolver that was made for the effect's rate and channels, and what the
/// effect has to know of it. The owner keeps its memory until the effect says that it is not in use (`ResponsesInUse`).
package struct ReverbResponse: BitwiseCopyable, Hashable, @unchecked Sendable {
    /// Ascending in the order in which responses are given to an effect; from 1.
    package let number: UInt32
    package let convolver: UnsafeMutablePointer<Convolver>
    package let buildUp: BuildUp
    /// Seconds.
    package let duration: Float

    package init(number: UInt32, convolver: UnsafeMutablePointer<Convolver>, buildUp: BuildUp, duration: Float) {
        (self.number, self.convolver, self.buildUp, self.duration) = (number, convolver, buildUp, duration)
    }
}

/// Which responses an effect holds, as its audio thread publishes it.
package struct ResponsesInUse: BitwiseCopyable, Equatable, Sendable {
    /// The newest that was taken; a newer one is still on its way.
    private var newest: UInt32 = 0
    private var numbers = SIMD8<UInt32>.zero

    init() {}

    init(newest: UInt32, numbers: SIMD8<UInt32>) { (self.newest, self.numbers) = (newest, numbers) }

    /// Whether the memory of a response has to be kept.
    package func keeps(_ number: UInt32) -> Bool {
        number > newest || (0..<8).contains { numbers[$0] == number }
    }
}

/// The convolvers of a reverb effect: one in use, or none, and others that ring.
///
/// Sound leaves one for another room as in `NetworkPool`. There are four places; where all of them ring, a fifth
/// response waits until the oldest has been faded out, and of several that wait the newest is taken. Audio thread, but
/// for `init`.
struct ResponsePool: ~Copyable {
    private static let placeCount = 4

    // Not private: in a build without optimisation Swift 6.3 does not find a private type's layout from another file.
    struct Place: BitwiseCopyable {
        /// Empty where nil.
        var response: ReverbResponse?
        var feed = RoomFeed(isOpen: false)
        /// Of the output; falls only to make room.
        var level = GainRamp(1)
    }

    private let places = OwnedMemory(count: placeCount, Place())
    private let channelCount: Int
    private let glide: Int
    private var present: Int?
    private var waiting: ReverbResponse?
    private var newest: UInt32 = 0
    private let entering: ChannelMemory
    private let outputs: ChannelMemory
    private let cell: OwnedUseCell

    init(sampleRate: Double, channelCount: Int, response: ReverbResponse?) {
        self.channelCount = channelCount
        glide = Int(0.05 * sampleRate)
        entering = ChannelMemory(count: max(channelCount, 1))
        outputs = ChannelMemory(count: max(channelCount, 1))
        cell = OwnedUseCell()
        if let response { take(response, otherwise: BuildUp(start: 0, end: 0), atOnce: true) }
    }

    /// What is in use, for the control side; valid as long as the pool.
    var inUse: LatestValueCell<ResponsesInUse> { cell.cell }

    /// Whether a response is in use or rings.
    var holdsSound: Bool {
        for place in 0..<Self.placeCount {
            if let response = places.pointer[place].response, !response.convolver.pointee.isIdle { return true }
        }
        return waiting != nil
    }

    /// - Parameter network: how fast the room fills that is in use instead where `response` is nil.
    mutating func take(_ response: ReverbResponse?, otherwise network: BuildUp, atOnce: Bool) {
        newest = max(newest, response?.number ?? 0)
        waiting = nil
        if atOnce {
            for place in 0..<Self.placeCount where places.pointer[place].response != response { empty(place) }
            if response == nil { present = nil }
        }
        if let response {
            if !isPresent(response) { enter(response, atOnce: atOnce) }
        } else {
            leave(for: network)
        }
        publish()
    }

    private func isPresent(_ response: ReverbResponse) -> Bool {
        guard let present, let held = places.pointer[present].response else { return false }
        return held == response
    }

    private mutating func leave(for other: BuildUp) {
        if let present { places.pointer[present].feed.close(while: other) }
        present = nil
    }

    private mutating func enter(_ response: ReverbResponse, atOnce: Bool) {
        guard let place = (0..<Self.placeCount).first(where: { places.pointer[$0].response == nil }) else {
            waiting = response
            fadeOldest()
            return
        }
        leave(for: response.buildUp)
        places.pointer[place] = Place(response: response)
        places.pointer[place].feed.open(frames: atOnce ? 0 : glide)
        present = place
    }

    private func fadeOldest() {
        var (oldest, number) = (0, UInt32.max)
        for place in 0..<Self.placeCount where place != present {
            if let held = places.pointer[place].response, held.number < number {
                (oldest, number) = (place, held.number)
            }
        }
        if places.pointer[oldest].level.target != 0 { places.pointer[oldest].level.setTarget(0, frames: glide) }
    }

    private func empty(_ place: Int) { places.pointer[place] = Place() }

    private func publish() {
        var numbers = SIMD8<UInt32>.zero
        for place in 0..<Self.placeCount { numbers[place] = places.pointer[place].response?.number ?? 0 }
        numbers[Self.placeCount] = waiting?.number ?? 0
        cell.cell.write(ResponsesInUse(newest: newest, numbers: numbers))
    }

    /// Adds what sounds to `sums`, a channel each; n at most one quantum.
    mutating func add(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int,
        to sums: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int
    ) {
        for number in 0..<Self.placeCount {
            let place = places.pointer + number
            guard let response = place.pointee.response else { continue }
            let start = place.pointee.feed
            for channel in 0..<channelCount {
                place.pointee.feed = start
                place.pointee.feed.process(from: inputs[channel] + offset, to: entering[channel], n)
            }
            response.convolver.pointee.process(entering.channels, to: outputs.channels, n)
            let level = place.pointee.level
            for channel in 0..<channelCount {
                place.pointee.level = level
                place.pointee.level.add(from: outputs[channel], to: sums[channel], n)
            }
        }
    }

    /// Behind every quantum: frees what has no tail left or has faded out, and takes what waits.
    mutating func settle() {
        var changes = false
        for number in 0..<Self.placeCount where number != present {
            let place = places.pointer[number]
            guard let response = place.response else { continue }
            let hasFaded = place.level.isIdle && place.level.target == 0
            if hasFaded || (place.feed.isShut && response.convolver.pointee.isIdle) {
                empty(number)
                changes = true
            }
        }
        if changes, let next = waiting {
            waiting = nil
            enter(next, atOnce: false)
        }
        if changes { publish() }
    }

    /// Silences everything; what is in use stays, what rings goes.
    mutating func reset() {
        if let waiting { take(waiting, otherwise: BuildUp(start: 0, end: 0), atOnce: true) }
        for place in 0..<Self.placeCount where place != present { empty(place) }
        if let present, let response = places.pointer[present].response {
            if !response.convolver.pointee.isIdle { response.convolver.pointee.reset() }
            places.pointer[present].feed.open(frames: 0)
        }
        publish()
    }
}

/// A cell that goes with the pool.
// Swift 6.3 looks for its metadata from another module that keeps a pool in a structure of its own; a private type has
// none there.
package struct OwnedUseCell: ~Copyable {
    let cell = LatestValueCell(ResponsesInUse())
    deinit { cell.deallocate() }
}
