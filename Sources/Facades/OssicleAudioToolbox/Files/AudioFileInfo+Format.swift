// The stream in a file.

import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles

extension AudioFileInfo {
    /// The stream as it lies in the file.
    package var streamFormat: StreamFormat {
        if codec.isLinear {
            let kind: PCMFormat.Kind = codec.isFloat ? .float : codec == .pcm8Unsigned ? .unsigned : .signed
            return .pcm(PCMFormat(sampleRate: sampleRate, channelCount: channelCount, kind: kind, bits: bitDepth,
                                  isBigEndian: isBigEndian, isInterleaved: true, channelLabels: channelLabels))
        }
        let facts = codec.packetFacts(sampleRate: sampleRate, channels: channelCount)
        return .packets(PacketFormat(codec: codec, sampleRate: sampleRate, channelCount: channelCount, framesPerPacket: facts.frames,
                                     bytesPerPacket: facts.bytes, channelLabels: channelLabels))
    }
}
