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
