/// The mixer channels of one sound event, in the order of their mixers. An event has one or a few.
package struct MixerChannels {
    package struct Entry {
        /// Index of the mixer.
        package let mixer: Int
        package fileprivate(set) var channel: MixerChannel
    }

    package private(set) var all: [Entry] = []

    package init() {}

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
