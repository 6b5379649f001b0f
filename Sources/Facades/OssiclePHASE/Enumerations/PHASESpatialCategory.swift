/// A part of the sound on its way from source to listener; key of a pipeline's entries.
///
/// The raw strings of Apple's constants are not published; ours are their C names.
public struct PHASESpatialCategory: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Straight from source to listener, and through what stands between.
    public static let directPathTransmission = PHASESpatialCategory(rawValue: "PHASESpatialCategoryDirectPathTransmission")
    /// The first reflections.
    public static let earlyReflections = PHASESpatialCategory(rawValue: "PHASESpatialCategoryEarlyReflections")
    /// What the room makes of the sound after them.
    public static let lateReverb = PHASESpatialCategory(rawValue: "PHASESpatialCategoryLateReverb")
}
