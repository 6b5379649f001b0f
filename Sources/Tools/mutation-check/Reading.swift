import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleHRTF
import OssicleMIDI
import OssicleScenes

/// Everything that reads a file of a kind, run over one that may be damaged in any way. What is wrong beyond an error
/// comes back in words.
struct Reading {
    let kind: Kind
    /// Frames read from one place at the most: a small file may well stand for hours of sound.
    private static let mostFrames = 1 << 16, piece = 4096

    /// - Parameter path: where `bytes` lie as a file.
    func complaint(_ bytes: [UInt8], path: String) -> String? {
        switch kind.content {
        case .sofa: _ = try? HRTFSet(contentsOfFile: path)
        case .obj: _ = try? SceneFile(contentsOfFile: path)
        case .gltf(let binary): return Self.complaint(path, binary: binary)
        case .timeline:
            _ = (try? SceneTimeline(contentsOfFile: path, for: Kind.document)).map { timeline in
                timeline.tracks.map { $0.value(at: timeline.length / 2) }
            }
        case .midi: return (try? MIDIFile(path: path)).flatMap { Self.complaint($0) }
        case .sound:
            streamed(bytes)
            return (try? samples(path)) ?? (try? packets(bytes))
        }
        return nil
    }

    /// What is read can be written, and read again as it was.
    private static func complaint(_ path: String, binary: Bool) -> String? {
        guard let scene = try? SceneDocument(contentsOfFile: path) else { return nil }
        let bytes = scene.bytes(binary: binary)
        guard let again = try? SceneDocument(bytes, name: scene.name) else { return "what was written is no scene" }
        return again.bytes(binary: binary) == bytes ? nil : "what was written is another scene"
    }

    /// What is read can be written, and read again as it was.
    private static func complaint(_ file: MIDIFile) -> String? {
        let sequence = MIDISequence(file), seconds = sequence.tempoMap.seconds(at: sequence.length)
        guard seconds.isFinite, seconds >= 0 else { return "a piece of \(seconds) s" }
        guard let again = try? MIDIFile(reading: sequence.file().bytes, named: "what was written") else {
            return "what was written is no MIDI file"
        }
        return again.warnings.first.map { "what was written is damaged: \($0)" }
    }

    private func samples(_ path: String) throws -> String? {
        let reader = try AudioFileReader(path: path), info = reader.info
        guard info.channelCount > 0, info.sampleRate > 0, info.sampleRate.isFinite, info.frameCount >= 0 else {
            return "impossible facts: \(info)"
        }
        let planes = (0..<min(info.channelCount, 64)).map { _ in
            UnsafeMutablePointer<Double>.allocate(capacity: Self.piece)
        }
        defer { planes.forEach { $0.deallocate() } }
        for start in [0, info.frameCount / 2] {
            try reader.seek(to: start)
            var done = 0
            while done < Self.mostFrames {
                // What a decoder leaves as it was is found as well.
                for plane in planes { plane.update(repeating: .infinity, count: Self.piece) }
                let count = try reader.read(into: planes, frames: Self.piece)
                if let complaint = Self.complaint(planes, count, peak: info.codec.decodedPeak) { return complaint }
                done += count
                if count < Self.piece { break }
            }
        }
        return nil
    }

    private static func complaint(_ planes: [UnsafeMutablePointer<Double>], _ count: Int, peak: Double) -> String? {
        guard count >= 0, count <= piece else { return "\(count) of \(piece) frames" }
        for plane in planes {
            for frame in 0..<count where !plane[frame].isFinite || abs(plane[frame]) > peak {
                return "a sample of \(plane[frame])"
            }
        }
        return nil
    }

    /// Packets as they lie in the file, and what our decoders make of them.
    private func packets(_ bytes: [UInt8]) throws -> String? {
        let file = try PacketFileReader(MemoryBytes(bytes))
        var decoder: (any PacketDecoder)?
        if case .packets(let format) = file.format { decoder = try? Codecs.makeDecoder(format) }
        var memory = [UInt8](repeating: 0, count: 1 << 16)
        for start in [0, file.packetCount / 2, file.packetCount - 1] {
            let spans = try memory.withUnsafeMutableBytes { try file.read(from: start, count: 32, into: $0) }
            for span in spans {
                guard span.offset >= 0, span.byteCount >= 0, span.offset + span.byteCount <= memory.count else {
                    return "a packet outside its memory"
                }
                let peak = decoder?.format.codec.decodedPeak ?? 1
                let frames = memory.withUnsafeBytes { bytes in
                    try? decoder?.decode(
                        UnsafeRawBufferPointer(rebasing: bytes[span.offset..<span.offset + span.byteCount]))
                }
                for plane in frames?.planes ?? [] {
                    for frame in 0..<(frames?.count ?? 0) where !plane[frame].isFinite || abs(plane[frame]) > peak {
                        return "a packet's sample of \(plane[frame])"
                    }
                }
            }
        }
        _ = try file.packet(holdingFrame: file.info.frameCount / 2)
        return nil
    }

    private func streamed(_ bytes: [UInt8]) {
        let parser = PacketStreamParser()
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            let isRead: Void? = bytes[start..<min(start + 1000, bytes.count)].withUnsafeBytes {
                try? parser.parse($0) { _ in }
            }
            if isRead == nil { return }
        }
        try? parser.finish { _ in }
    }
}
