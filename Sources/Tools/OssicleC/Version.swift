import OssicleHeader
import OssicleRendering
import OssicleScenes

/// Texts that are never freed.
private enum Constant {
    static let version = CText(OssicleVersion.text)
    static let materials = CText(json: MaterialNames.known)
}

@c @implementation
public func ossicle_abi() -> Int32 { Int32(OSSICLE_ABI) }

@c @implementation
public func ossicle_version() -> UnsafePointer<CChar>? { Constant.version.pointer }

@c @implementation
public func ossicle_materials() -> UnsafePointer<CChar>? { Constant.materials.pointer }
