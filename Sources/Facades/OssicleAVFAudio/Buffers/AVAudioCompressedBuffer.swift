// Compressed audio in memory.

import Foundation
import OssicleCoreAudioTypes

/// Packets in memory: room for `packetCapacity` packets in `byteCapacity` bytes, of which `packetCount` packets in
/// `byteLength` bytes are valid. Starts empty. For one thread at a time.
open class AVAudioCompressedBuffer: AVAudioBuffer {
    /// Packets there is room for.
    public let packetCapacity: AVAudioPacketCount
    /// No packet may be larger, in bytes.
    public let maximumPacketSize: Int
    /// Bytes there is room for.
    public let byteCapacity: UInt32

    let refusal: OssicleError?
    private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    private var validPackets: AVAudioPacketCount = 0
    private var validBytes: UInt32 = 0

    /// Room for `packetCapacity` packets of up to `maximumPacketSize` bytes. For linear PCM, a negative size, or more
    /// than fits 32 bits or memory, the buffer has no room, and `lastError` tells why.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        let storage = PacketStorage(format, packetCapacity, packetSize: maximumPacketSize)
        self.packetCapacity = storage.packets
        self.maximumPacketSize = storage.packetSize
        byteCapacity = storage.bytes
        descriptions = storage.descriptions
        refusal = storage.refusal
        super.init(format: format, lists: storage.lists)
        update()
    }

    /// Room for `packetCapacity` packets of a format whose packets are all of one size. For other formats the buffer
    /// has no room, and `lastError` tells why.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        self.init(
            format: format, packetCapacity: packetCapacity,
            maximumPacketSize: Int(format.streamDescription.pointee.mBytesPerPacket))
    }

    deinit { free(descriptions) }

    /// The packets' bytes.
    open var data: UnsafeMutableRawPointer { lists.memory }

    /// Valid packets; more than the capacity becomes the capacity.
    open var packetCount: AVAudioPacketCount {
        get { validPackets }
        set { validPackets = min(newValue, packetCapacity) }
    }

    /// Valid bytes; more than the capacity becomes the capacity. Follows a size that was written into
    /// `mutableAudioBufferList`, and the size in `audioBufferList` follows it.
    open var byteLength: UInt32 {
        get {
            adoptForeignSize()
            return validBytes
        }
        set {
            validBytes = min(newValue, byteCapacity)
            update()
        }
    }

    /// One description per packet, `packetCapacity` of them; `nil` when all packets are of one size and hold equally
    /// many frames.
    open var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { descriptions }

    /// What packets need of earlier ones. No codec here tells, so always `nil`.
    open var packetDependencies: UnsafeMutablePointer<AudioStreamPacketDependencyDescription>? { nil }

    private func update() {
        lists.setByteSize(validBytes, of: lists.valid)
        lists.setByteSize(byteCapacity, of: lists.whole)
    }

    /// C functions tell how much they wrote by the size in the list they were given.
    private func adoptForeignSize() {
        guard let stated = lists.whole.first?.mDataByteSize, stated != byteCapacity else { return }
        validBytes = min(stated, byteCapacity)
        update()
    }

    open override var audioBufferList: UnsafePointer<AudioBufferList> {
        adoptForeignSize()
        return super.audioBufferList
    }

    open override var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        adoptForeignSize()
        return super.mutableAudioBufferList
    }

    /// A buffer of its own with the same packets and capacity. Should the memory not be there, this buffer itself.
    @discardableResult
    open override func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = AVAudioCompressedBuffer(
            format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
        guard copy.byteCapacity == byteCapacity else { return self }
        copy.byteLength = byteLength
        copy.packetCount = packetCount
        copy.data.copyMemory(from: data, byteCount: Int(byteLength))
        if let descriptions { copy.descriptions?.update(from: descriptions, count: Int(packetCount)) }
        return copy
    }
}

/// Memory for packets and their descriptions; none, with the reason, where there can be none.
struct PacketStorage {
    let packets: AVAudioPacketCount
    let packetSize: Int
    let bytes: UInt32
    let lists: BufferListPair
    /// Zeroed; to be given to `free`.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let refusal: OssicleError?

    init(_ format: AVAudioFormat, _ packets: AVAudioPacketCount, packetSize: Int) {
        let (product, overflow) = Int(packets).multipliedReportingOverflow(by: packetSize)
        // Descriptions may take many times the room of the packets, so their memory too may not be there.
        guard !format.isPCM, packetSize > 0, packets > 0, !overflow, let bytes = UInt32(exactly: product),
            let lists = BufferListPair(buffers: 1, channelsPerBuffer: format.channelCount, byteCount: product),
            let memory = calloc(
                format.hasConstantPackets ? 1 : Int(packets), MemoryLayout<AudioStreamPacketDescription>.stride)
        else {
            (self.packets, self.packetSize, bytes, descriptions) = (0, 0, 0, nil)
            lists = BufferListPair(emptyFor: format.channelCount)
            refusal = packets > 0 ? Self.refusal(format, packets, size: packetSize) : nil
            return
        }
        (self.packets, self.packetSize, self.bytes, self.lists, refusal) = (packets, packetSize, bytes, lists, nil)
        if format.hasConstantPackets { free(memory) }
        descriptions =
            format.hasConstantPackets
            ? nil : memory.bindMemory(to: AudioStreamPacketDescription.self, capacity: Int(packets))
    }

    private static func refusal(_ format: AVAudioFormat, _ packets: AVAudioPacketCount, size: Int) -> OssicleError {
        .avfaudio(
            kAudio_ParamError, "AVAudioCompressedBuffer", value: "\(packets) packets of \(size) bytes of \(format)",
            rule: "It holds packets of a compressed format, in 1 to 2^32 - 1 bytes.",
            cure: format.isPCM
                ? "Use AVAudioPCMBuffer for linear PCM." : "Give the largest packet's size, and fewer packets.")
    }
}
