import OssicleAudioToolbox
import OssicleCodecs

/// The codecs as components: they are found and named. Converters and files use them; there is no interface to one by
/// itself.
enum CodecComponents {
    /// Decoders, then encoders, each in the order of the table of codecs, one for a format.
    static var all: [RegisteredComponent] {
        components(kAudioDecoderComponentType, "Decoder") { $0.decoder != nil }
            + components(kAudioEncoderComponentType, "Encoder") { $0.encoder != nil }
    }

    private static func components(
        _ type: OSType, _ kind: String, where isThere: (CodecDescriptor) -> Bool
    ) -> [RegisteredComponent] {
        var seen: Set<UInt32> = []
        return AudioCodec.allCases.filter { !$0.isLinear && $0 != .other }.map(\.descriptor).filter {
            isThere($0) && seen.insert($0.formatID).inserted
        }.map { codec in
            RegisteredComponent(
                description: AudioComponentDescription(builtIn: type, codec.formatID),
                name: "Apple: \(codec.name) \(kind)", version: 0x0000_0100)
        }
    }
}
