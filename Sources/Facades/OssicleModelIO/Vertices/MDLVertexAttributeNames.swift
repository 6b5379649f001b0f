// The names by which attributes are found.

public let MDLVertexAttributePosition = "position"
public let MDLVertexAttributeNormal = "normal"
public let MDLVertexAttributeTextureCoordinate = "textureCoordinate"
public let MDLVertexAttributeColor = "color"
public let MDLVertexAttributeTangent = "tangent"
public let MDLVertexAttributeBitangent = "bitangent"
