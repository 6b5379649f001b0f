import Foundation

/// Which parts of the sound between source and listener a spatial mixer renders, and how loud each.
open class PHASESpatialPipeline: NSObject {
    /// The parts there are.
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static var directPathTransmission: Flags { Flags(rawValue: 1 << 0) }
        public static var earlyReflections: Flags { Flags(rawValue: 1 << 1) }
        public static var lateReverb: Flags { Flags(rawValue: 1 << 2) }

        static let all: Flags = [.directPathTransmission, .earlyReflections, .lateReverb]

        var categories: [PHASESpatialCategory] {
            [(Flags.directPathTransmission, PHASESpatialCategory.directPathTransmission),
             (.earlyReflections, .earlyReflections), (.lateReverb, .lateReverb)].filter { contains($0.0) }.map(\.1)
        }
    }

    open private(set) var flags: Flags
    /// One entry per flag.
    open private(set) var entries: [PHASESpatialCategory: PHASESpatialPipelineEntry]

    /// Flags that mean nothing are dropped. nil when none is left.
    public init?(flags: PHASESpatialPipeline.Flags) {
        let known = flags.intersection(.all)
        guard !known.isEmpty else { return nil }
        self.flags = known
        entries = Dictionary(uniqueKeysWithValues: known.categories.map { ($0, PHASESpatialPipelineEntry()) })
        super.init()
    }
}
