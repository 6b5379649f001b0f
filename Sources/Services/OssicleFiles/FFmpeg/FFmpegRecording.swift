#if FFmpeg
// Which frames of a stream are the recording, and what the file says about it.

import CFFmpeg
import OssicleCodecs

enum FFmpegRecording {
    /// The frames between an encoder's priming and its padding.
    static func range(
        _ input: FFmpegInput, _ bytes: FileBytes, timeline: FFmpegTimeline, shape: FFmpegStreamShape
    ) -> Range<Int64> {
        let whole = 0..<max(0, timeline.frameCount)
        if let tagged = value("iTunSMPB", input).flatMap(gapless), tagged.upperBound <= whole.upperBound {
            return tagged
        }
        if input.container == "caf", let packets = try? PacketFileReader(bytes) {
            let start = min(Int64(packets.primingFrames), whole.upperBound)
            return start..<max(start, whole.upperBound - Int64(packets.remainderFrames))
        }
        guard input.container.hasPrefix("mov") else {
            return min(
                Int64(max(0, input.stream.pointee.codecpar.pointee.initial_padding)), whole.upperBound)..<whole
                .upperBound
        }
        guard let edit = MPEG4Edit.read(bytes, track: input.stream.pointee.id) else { return whole }
        let rate = max(1, Int64(shape.sampleRate))
        let start = min(max(0, av_rescale(edit.start, rate, edit.startScale)), whole.upperBound)
        let end = start + min(av_rescale(max(0, edit.length), rate, edit.lengthScale), whole.upperBound)
        return start..<(edit.length == 0 || end + coarseness(edit, rate) >= whole.upperBound ? whole.upperBound : end)
    }

    /// Frames by which the end of an edit may be wrong, where its scale does not divide into frames.
    private static func coarseness(_ edit: MPEG4Edit, _ rate: Int64) -> Int64 {
        edit.lengthScale % rate == 0 ? 0 : rate / edit.lengthScale + 1
    }

    /// Priming, padding and length, as iTunes writes them in hexadecimal: " 00000000 00000840 000001CA 00000000003F31F6
    /// ...".
    private static func gapless(_ text: String) -> Range<Int64>? {
        let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) ?? -1 }
        guard numbers.count == 4, (0..<1 << 20).contains(numbers[1]), (1..<1 << 48).contains(numbers[3]) else {
            return nil
        }
        return numbers[1]..<numbers[1] + numbers[3]
    }

    static func metadata(_ input: FFmpegInput) -> AudioMetadata {
        var metadata = AudioMetadata()
        metadata.title = value("title", input)
        metadata.artist = value("artist", input)
        metadata.album = value("album", input)
        metadata.comment = value("comment", input)
        metadata.date = value("date", input)
        metadata.genre = value("genre", input)
        metadata.trackNumber = value("track", input)
        metadata.copyright = value("copyright", input)
        metadata.encodingApplication = value("encoder", input)
        return metadata
    }

    private static func value(_ key: String, _ input: FFmpegInput) -> String? {
        let entry =
            av_dict_get(input.format.pointee.metadata, key, nil, 0)
            ?? av_dict_get(input.stream.pointee.metadata, key, nil, 0)
        return entry.map { String(cString: $0.pointee.value) }
    }
}
#endif
