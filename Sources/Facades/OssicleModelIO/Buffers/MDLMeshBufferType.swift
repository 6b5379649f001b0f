/// What a buffer holds.
public enum MDLMeshBufferType: UInt, Sendable {
    case vertex = 1
    case index = 2
    case custom = 3
}
