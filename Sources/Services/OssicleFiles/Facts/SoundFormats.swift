/// What sound files can be read, as every message, help text and document lists it.
package enum SoundFormats {
    /// The last two with the package trait FFmpeg only.
    package static let readable = ["WAV", "RF64", "W64", "AIFF", "CAF", "AU", "FLAC", "Apple Lossless", "MP3", "Ogg Vorbis", "Ogg Opus", "AAC", "M4A"]

    /// "Readable are WAV, … and M4A."
    package static let sentence = "Readable are \(readable.dropLast().joined(separator: ", ")) and \(readable[readable.count - 1])\(condition)."

    #if FFmpeg
    private static let condition = ""
    #else
    private static let condition = ", the last two with the package trait FFmpeg"
    #endif
}
