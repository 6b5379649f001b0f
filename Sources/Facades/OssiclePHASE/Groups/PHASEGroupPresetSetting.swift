import Foundation
import OssicleSoundEvents

/// What a group preset does to one group.
open class PHASEGroupPresetSetting: NSObject, @unchecked Sendable {
    /// Linear; multiplies the group's gain. Clamped to 0…1.
    public let gain: Double
    /// Multiplies the group's rate. Clamped to 0.25…4; the product is as well.
    public let rate: Double
    /// How the group gets there, and back.
    public let gainCurveType: PHASECurveType
    public let rateCurveType: PHASECurveType

    /// A gain that is not a number counts as 0, such a rate as 1.
    public init(gain: Double, rate: Double, gainCurveType: PHASECurveType, rateCurveType: PHASECurveType) {
        self.gain = gain.clamped(0, 1)
        self.rate = rate.isNaN ? 1 : rate.clamped(Generator.rates.lowerBound, Generator.rates.upperBound)
        (self.gainCurveType, self.rateCurveType) = (gainCurveType, rateCurveType)
    }
}
