/// What the indices of a submesh are the corners of.
public enum MDLGeometryType: Int, Sendable {
    case points = 0
    case lines = 1
    case triangles = 2
    case triangleStrips = 3
    case quads = 4
    case variableTopology = 5
}
