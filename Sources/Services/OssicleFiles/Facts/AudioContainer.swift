// Containers: how a file wraps its samples.

/// The container of a sound file.
package enum AudioContainer: String, CaseIterable, Sendable {
    case wav, rf64, wave64, aiff, caf, flac, ogg, mpeg, au
    /// `mpeg4` is the family of M4A; `adts` is a bare stream of AAC.
    case mpeg4, adts
    /// Readable, but not one we name.
    case other
}
