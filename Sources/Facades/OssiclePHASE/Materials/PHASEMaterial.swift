import Foundation
import OssicleAcoustics

/// What a surface is made of. Immutable; any thread.
open class PHASEMaterial: NSObject {
    package let material: AcousticMaterial

    public convenience init(engine: PHASEEngine, preset: PHASEMaterialPreset) {
        self.init(MaterialLibrary.material(preset.libraryPreset))
    }

    package init(_ material: AcousticMaterial) {
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
