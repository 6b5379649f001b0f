import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Room for packets")
struct PacketRoomTests {
    @Test(
        "for more packets than memory can describe there is none, or memory that is only promised",
        arguments: [(UInt32.max, 1), (1 << 31, 1)])
    func many(packets: UInt32, size: Int) throws {
        let opus = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatOpus, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            ]))
        let buffer = AVAudioCompressedBuffer(format: opus, packetCapacity: packets, maximumPacketSize: size)
        #expect(buffer.packetCapacity == packets || buffer.packetCapacity == 0 && buffer.lastError != nil)
        if buffer.packetCapacity > 0 { #expect(buffer.packetDescriptions?[0].mDataByteSize == 0) }
    }
}
