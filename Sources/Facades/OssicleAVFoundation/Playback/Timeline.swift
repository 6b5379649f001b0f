// Which frame of which item each frame of the ring is.

import OssicleCoreAudioTypes

/// A run of frames of one item in the ring.
struct Stretch {
    /// What comes behind its last frame.
    enum End {
        case open
        /// The item is over.
        case played
        /// The item cannot go on.
        case failed(OssicleError)

        var isOpen: Bool { if case .open = self { true } else { false } }
    }

    let item: AVPlayerItem
    /// The ring's frame it begins with.
    let ringStart: Int64
    /// The item's frame it begins with, in the ring's rate; backwards the one behind it.
    let itemStart: Int64
    /// 1, or −1 backwards.
    let direction: Int64
    var count: Int64 = 0
    var end = End.open

    var ringEnd: Int64 { ringStart + count }

    /// The item's frame at a place of the ring.
    func itemFrame(at place: Double) -> Double {
        Double(itemStart) + (place - Double(ringStart)) * Double(direction)
    }
}

/// The stretches that have not been played to their ends, in order.
struct Timeline {
    private(set) var stretches: [Stretch] = []
    /// How far the ring has been played, in frames since it was cleared.
    var played = 0.0

    /// What is playing.
    var current: Stretch? { stretches.first }
    /// What is read last.
    var last: Stretch? { stretches.last }

    /// Nothing in the ring; `item` comes next, from `frame` on.
    init(_ item: AVPlayerItem? = nil, from frame: Int64 = 0, direction: Int64 = 1) {
        if let item { begin(item, from: frame, direction: direction, at: 0) }
    }

    /// `item` follows, from `frame` on.
    mutating func begin(_ item: AVPlayerItem, from frame: Int64, direction: Int64, at place: Int64) {
        stretches.append(Stretch(item: item, ringStart: place, itemStart: frame, direction: direction))
    }

    /// `count` more frames are in the ring.
    mutating func extend(by count: Int) {
        if !stretches.isEmpty { stretches[stretches.count - 1].count += Int64(count) }
    }

    /// Nothing more comes of the last item.
    mutating func close(_ end: Stretch.End) {
        if !stretches.isEmpty { stretches[stretches.count - 1].end = end }
    }

    /// Changes the end of what is playing, so that it is met again or no more.
    mutating func rearm(_ end: Stretch.End) {
        if !stretches.isEmpty { stretches[0].end = end }
    }

    /// What was playing is over.
    mutating func dropFirst() {
        if !stretches.isEmpty { stretches.removeFirst() }
    }
}
