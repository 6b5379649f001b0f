import OssicleCore

/// A few channels of one quantum each to work in, and the list of them that kernels take.
struct ScratchChannels: ~Copyable {
    private let memory: SampleMemory
    private let pointers: OwnedMemory<UnsafeMutablePointer<Float>>

    init(count: Int) {
        memory = SampleMemory(count: count * Grid.quantum)
        pointers = OwnedMemory(count: count, memory.pointer)
        for channel in 0..<count { pointers.pointer[channel] = memory.pointer + channel * Grid.quantum }
    }

    var list: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(pointers.pointer) }
    subscript(channel: Int) -> UnsafeMutablePointer<Float> { pointers.pointer[channel] }
}
