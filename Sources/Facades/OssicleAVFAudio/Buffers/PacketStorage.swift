// The memory behind a buffer of packets.

import Foundation
import OssicleCoreAudioTypes

/// Memory for packets and their descriptions; none, with the reason, where there can be none.
struct PacketStorage {
    let packets: AVAudioPacketCount
    let packetSize: Int
    let bytes: UInt32
    let lists: BufferListPair
    /// Zeroed; to be given to `free`.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let refusal: OssicleError?

    init(_ format: AVAudioFormat, _ packets: AVAudioPacketCount, _ packetSize: Int) {
        let (product, overflow) = Int(packets).multipliedReportingOverflow(by: packetSize)
        // Descriptions may take many times the room of the packets, so their memory too may not be there.
        guard !format.isPCM, packetSize > 0, packets > 0, !overflow, let bytes = UInt32(exactly: product),
              let lists = BufferListPair(buffers: 1, channelsPerBuffer: format.channelCount, byteCount: product),
              let memory = calloc(format.hasConstantPackets ? 1 : Int(packets), MemoryLayout<AudioStreamPacketDescription>.stride)
        else {
            (self.packets, self.packetSize, bytes, descriptions) = (0, 0, 0, nil)
            lists = BufferListPair(emptyFor: format.channelCount)
            refusal = packets > 0 ? Self.refusal(format, packets, packetSize) : nil
            return
        }
        (self.packets, self.packetSize, self.bytes, self.lists, refusal) = (packets, packetSize, bytes, lists, nil)
        if format.hasConstantPackets { free(memory) }
        descriptions = format.hasConstantPackets ? nil : memory.bindMemory(to: AudioStreamPacketDescription.self, capacity: Int(packets))
    }

    private static func refusal(_ format: AVAudioFormat, _ packets: AVAudioPacketCount, _ size: Int) -> OssicleError {
        .avfaudio(kAudio_ParamError, "AVAudioCompressedBuffer", value: "\(packets) packets of \(size) bytes of \(format)",
                  rule: "It holds packets of a compressed format, in 1 to 2^32 - 1 bytes.",
                  cure: format.isPCM ? "Use AVAudioPCMBuffer for linear PCM." : "Give the largest packet's size, and fewer packets.")
    }
}

extension AVAudioFormat {
    /// Whether packets need no descriptions.
    var hasConstantPackets: Bool { streamDescription.pointee.mBytesPerPacket > 0 && streamDescription.pointee.mFramesPerPacket > 0 }
}
