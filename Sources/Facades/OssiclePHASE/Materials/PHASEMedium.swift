import Foundation
import OssicleAcoustics

/// What sound travels through.
open class PHASEMedium: NSObject {
    /// The media there are; the raw value is Apple's four-character code.
    public enum Preset: Int, Sendable {
        /// Air at 20 °C, 50 % relative humidity and 101.325 kPa.
        case air = 0x6d644172
    }

    package let medium: Medium

    public init(engine: PHASEEngine, preset: PHASEMedium.Preset) {
        medium = switch preset {
        case .air: Medium()
        }
        super.init()
    }
}
