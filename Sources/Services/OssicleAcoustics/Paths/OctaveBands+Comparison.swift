import OssicleCore

extension OctaveBands {
    // By mask: the library's pointwise minimum and maximum go lane by lane through memory.

    /// The smaller value in each band.
    @inline(__always) func smaller(_ other: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: lanes.replacing(with: other.lanes, where: other.lanes .< lanes))
    }

    /// The larger value in each band.
    @inline(__always) func larger(_ other: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: lanes.replacing(with: other.lanes, where: other.lanes .> lanes))
    }
}
