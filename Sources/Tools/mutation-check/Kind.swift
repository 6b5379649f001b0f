import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleMIDI
import OssicleScenes
import OssicleTestSupport

/// A kind of file, and a whole one of it.
struct Kind {
    enum Content {
        case sound(AudioContainer, AudioCodec)
        /// Impulse responses of a listener's head.
        case sofa
        /// A scene of triangles.
        case obj
        /// A scene with its sounds, as text or binary.
        case gltf(binary: Bool)
        /// What happens in that scene.
        case timeline
        /// Music.
        case midi
    }

    let name: String
    let content: Content

    static let all: [Kind] =
        sounds + [
            Kind(name: "a.sofa", content: .sofa), Kind(name: "a.obj", content: .obj),
            Kind(name: "a.mid", content: .midi), Kind(name: "a.gltf", content: .gltf(binary: false)),
            Kind(name: "a.glb", content: .gltf(binary: true)), Kind(name: "a.json", content: .timeline),
        ]

    private static let sounds: [Kind] = {
        let plain: [(String, AudioContainer, AudioCodec)] = [
            ("8.wav", .wav, .pcm8Unsigned), ("16.wav", .wav, .pcm16), ("f32.wav", .wav, .float32),
            ("ulaw.wav", .wav, .muLaw), ("ima.wav", .wav, .imaADPCM),
            ("ms.wav", .wav, .microsoftADPCM), ("24.rf64", .rf64, .pcm24), ("16.w64", .wave64, .pcm16),
            ("24.aiff", .aiff, .pcm24), ("f32.aifc", .aiff, .float32),
            ("ima4.aifc", .aiff, .ima4), ("16.au", .au, .pcm16), ("alaw.au", .au, .aLaw), ("16.caf", .caf, .pcm16),
            ("ima4.caf", .caf, .ima4),
            ("alac16.caf", .caf, .alac16), ("alac24.caf", .caf, .alac24), ("flac.caf", .caf, .flac16),
            ("opus.caf", .caf, .opus),
            ("16.flac", .flac, .flac16), ("24.flac", .flac, .flac24), ("a.mp3", .mpeg, .mp3), ("a.ogg", .ogg, .vorbis),
            ("a.opus", .ogg, .opus),
        ]
        let more: [(String, AudioContainer, AudioCodec)] = [
            ("aac.m4a", .mpeg4, .aac), ("alac.m4a", .mpeg4, .alac16), ("a.aac", .adts, .aac), ("aac.caf", .caf, .aac),
        ]
        return (plain + (Codecs.hasFFmpeg ? more : [])).map { Kind(name: $0.0, content: .sound($0.1, $0.2)) }
    }()

    /// Writes a whole file of the kind to `path`.
    func write(to path: String) throws {
        switch content {
        case .sound(let container, let codec): try writeSound(to: path, container, codec: codec)
        case .sofa: try Data(Self.head.bytes()).write(to: URL(fileURLWithPath: path))
        case .obj: try Data(Self.scene.utf8).write(to: URL(fileURLWithPath: path))
        case .midi: try Self.music.write(to: path, replacing: true)
        case .gltf(let binary): try Data(Self.document.bytes(binary: binary)).write(to: URL(fileURLWithPath: path))
        case .timeline: try Data(Self.timeline.utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    private func writeSound(to path: String, _ container: AudioContainer, codec: AudioCodec) throws {
        let rate = codec == .opus ? 48_000.0 : 16_000, frames = 2500
        var metadata = AudioMetadata()
        (metadata.title, metadata.comment) = ("A title", "A comment")
        let writer = try AudioFileWriter(
            FileEncoderRequest(
                path: path, container: container, codec: codec, sampleRate: rate, channelCount: 2,
                channelLabels: [1, 2],
                metadata: metadata))
        let planes = (0..<2).map { channel in
            let plane = UnsafeMutablePointer<Double>.allocate(capacity: frames)
            let noise = Signal.noise(count: frames, amplitude: 0.1)
            for frame in 0..<frames {
                plane[frame] = 0.4 * sin(0.03 * Double(frame * (channel + 1))) + Double(noise[frame])
            }
            return plane
        }
        defer { planes.forEach { $0.deallocate() } }
        try writer.write(planes.map { UnsafePointer($0) }, frames: frames)
        try writer.finish()
    }

    private static var head: SofaWriter {
        var directions: [(azimuth: Double, elevation: Double)] = []
        for azimuth in stride(from: 0.0, to: 360, by: 60) {
            for elevation in [-45.0, 0, 45] { directions.append((azimuth, elevation)) }
        }
        let response: [Float] = (0..<32).map { index in index == 4 ? 1 : index > 4 ? 0.5 / Float(index) : 0 }
        return SofaWriter(
            sampleRate: 48_000, directions: directions,
            responses: directions.map { _ in (left: response, right: response) })
    }

    /// Two tracks with every kind of message.
    private static var music: MIDIFile {
        let tempo: [MIDIFile.Event] = (0..<8).map {
            MIDIFile.Event(tick: 960 * $0, .meta(type: 0x51, data: [7, UInt8(16 * $0), 32]))
        }
        var events: [MIDIFile.Event] = [
            MIDIFile.Event(tick: 0, .meta(type: 3, data: Array("A title".utf8))),
            MIDIFile.Event(tick: 0, .systemExclusive([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])),
            MIDIFile.Event(tick: 0, .systemExclusive([0xF0, 0x43, 1])), MIDIFile.Event(tick: 9, .escape([2, 0xF7])),
            MIDIFile.Event(tick: 9, .channel(status: 0xC3, data1: 12, data2: 0)),
        ]
        for note in 0..<100 {
            for status in [0x93, 0x83] as [UInt8] {
                let tick = 100 * note + (status == 0x83 ? 50 : 0)
                events.append(MIDIFile.Event(tick: tick, .channel(status: status, data1: UInt8(note), data2: 99)))
            }
        }
        return MIDIFile(
            format: .simultaneous, division: .ticksPerQuarter(480),
            tracks: [MIDIFile.Track(tempo), MIDIFile.Track(events, end: 11_000)])
    }

    private static let scene = """
        v 0 0 0
        v 2 0 0
        v 2 3 0
        v 0 3 0
        v 0 0 1
        vn 0 0 1
        vt 0.5 0.5
        o wall
        usemtl brick
        f 1 2 3 4
        f 1/1/1 2/1/1 5/1/1
        g floor
        usemtl carpet_on_concrete
        f 2 3 4
        f -1 -2 -3
        """
}
