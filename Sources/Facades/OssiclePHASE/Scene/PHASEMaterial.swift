import Foundation
import OssicleAcoustics

/// What a surface is made of. Immutable; any thread.
open class PHASEMaterial: NSObject {
    let material: AcousticMaterial

    /// A material of the library.
    public convenience init(engine: PHASEEngine, preset: PHASEMaterialPreset) {
        self.init(MaterialLibrary.material(preset.libraryPreset))
    }

    init(_ material: AcousticMaterial) {
        self.material = material
        super.init()
    }
}

extension PHASEMaterialPreset {
    fileprivate var libraryPreset: MaterialLibrary.Preset {
        switch self {
        case .cardboard: .cardboard
        case .glass: .glass
        case .brick: .brick
        case .concrete: .concrete
        case .drywall: .drywall
        case .wood: .wood
        }
    }
}

/// What a surface is made of. The raw values are Apple's four-character codes.
public enum PHASEMaterialPreset: Int, Sendable {
    /// 4 mm corrugated board.
    case cardboard = 0x6d437264
    /// A 3 mm pane.
    case glass = 0x6d476c73
    /// A 100 mm wall of unglazed brick.
    case brick = 0x6d42726b
    /// A smooth slab of 200 mm.
    case concrete = 0x6d436372
    /// Gypsum board on both sides of wood studs.
    case drywall = 0x6d447277
    /// Boarding on studs; as a partition, a solid door of 44 mm.
    case wood = 0x6d577564
}

/// What sound travels through. Immutable; any thread.
open class PHASEMedium: NSObject {
    /// The media there are; the raw value is Apple's four-character code.
    public enum Preset: Int, Sendable {
        /// Air at 20 °C, 50 % relative humidity and 101.325 kPa; takes nothing from direct sound, so that levels are
        /// those of the distance model.
        case air = 0x6d644172
    }

    let medium: Medium
    let isAbsorbing: Bool
    let isDelaying: Bool

    /// A medium of the library.
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
