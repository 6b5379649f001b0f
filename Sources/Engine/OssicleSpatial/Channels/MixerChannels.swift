/// The mixer channels of one sound event, in the order of their mixers. An event has one or a few.
package struct MixerChannels {
    package struct Entry {
        /// Index of the mixer.
        package let mixer: Int
        package fileprivate(set) var channel: MixerChannel
    }

    package private(set) var all: [Entry] = []

    package init() {}

    /// Calls `body` for every mixer and its channel, in order, without counting references.
    @inline(__always)
    func forEachUncounted(_ body: (Int, MixerChannel) -> Void) {
        all.withUnsafeBufferPointer { entries in
            for place in 0..<entries.count {
                let mixer = entries[place].mixer
                Unmanaged.passUnretained(entries[place].channel)._withUnsafeGuaranteedRef { body(mixer, $0) }
            }
        }
    }

    package subscript(mixer: Int) -> MixerChannel? {
        get {
            for entry in all where entry.mixer == mixer { return entry.channel }
            return nil
        }
        set {
            let place = all.firstIndex { $0.mixer >= mixer } ?? all.count
            let isThere = place < all.count && all[place].mixer == mixer
            guard let newValue else {
                if isThere { all.remove(at: place) }
                return
            }
            if isThere {
                all[place].channel = newValue
            } else {
                all.insert(Entry(mixer: mixer, channel: newValue), at: place)
            }
        }
    }
}
