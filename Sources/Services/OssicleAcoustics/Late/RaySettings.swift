import OssicleCore

/// How rays look for the late part.
package struct RaySettings: Sendable, Hashable {
    /// Rays that leave the listener, 1…2²⁴.
    package var rays: Int
    /// Surfaces a ray meets at most, 1…65 536.
    package var bounces: Int
    /// Mirrorings from which chains of nothing but mirrors count; 0 with the direct sound.
    ///
    /// Whoever computes early reflections to order n by other means passes n + 1, so that none is counted twice.
    package var specularFrom: Int
    /// Seconds of one bin, 0.5…50 ms.
    package var binWidth: Double
    /// Seconds from emission after which nothing is looked for, one bin…60 s.
    package var duration: Double
    /// Whether the air of the scene takes its share.
    package var includesAir: Bool
    /// Whether to answer for a source at the listener's place too.
    package var hearsRoom: Bool

    /// Seconds: short beside what an ear tells apart in a decay, long enough for some rays in each.
    package static let defaultBinWidth = 0.004

    /// Values out of range are moved to the nearest end.
    package init(rays: Int, bounces: Int, specularFrom: Int = 1, binWidth: Double = defaultBinWidth, duration: Double = 4, includesAir: Bool = true,
                 hearsRoom: Bool = true) {
        (self.rays, self.bounces, self.specularFrom) = (min(max(rays, 1), 1 << 24), min(max(bounces, 1), 1 << 16), max(specularFrom, 0))
        let width = binWidth.isNaN ? RaySettings.defaultBinWidth : min(max(binWidth, 0.0005), 0.05)
        self.binWidth = width
        self.duration = duration.isNaN ? 4 : min(max(duration, width), 60)
        (self.includesAir, self.hearsRoom) = (includesAir, hearsRoom)
    }

    package init(_ quality: AcousticQuality) {
        self.init(rays: quality.rays, bounces: quality.bounces, specularFrom: quality.reflectionOrder + 1)
    }

    var binCount: Int { Int((duration / binWidth).rounded(.up)) }

    /// Pieces of work; how many depends on nothing but the rays, so that sums are the same on any number of workers.
    var chunkSize: Int { max(256, (rays + 31) / 32) }
}
