import Foundation
import OssicleAcoustics

/// What sound travels through. Immutable; any thread.
open class PHASEMedium: NSObject {
    /// The media there are; the raw value is Apple's four-character code.
    public enum Preset: Int, Sendable {
        /// Air at 20 °C, 50 % relative humidity and 101.325 kPa; takes nothing from direct sound, so that levels are those of the distance model.
        case air = 0x6d644172
    }

    package let medium: Medium
    let isAbsorbing: Bool
    let isDelaying: Bool

    public convenience init(engine: PHASEEngine, preset: PHASEMedium.Preset) {
        switch preset {
        case .air: self.init(Medium(), absorbs: false, delays: true)
        }
    }

    init(_ medium: Medium, absorbs: Bool, delays: Bool) {
        (self.medium, isAbsorbing, isDelaying) = (medium, absorbs, delays)
        super.init()
    }
}
