// ID3 tags of the first version, behind MPEG audio.

/// The last 128 bytes of a file (ID3v1.1, an informal standard): fields of fixed length in Latin 1 or UTF-8, and a number for the genre.
enum ID3Version1 {
    private static let byteCount = 128

    static func read(_ source: any ByteSource) -> AudioMetadata {
        var metadata = AudioMetadata()
        let tag = source.bytes(at: source.byteCount - Int64(byteCount), byteCount)
        guard tag.count == byteCount, tag.starts(with: "TAG".utf8) else { return metadata }
        metadata.title = text(tag[3..<33])
        metadata.artist = text(tag[33..<63])
        metadata.album = text(tag[63..<93])
        metadata.date = text(tag[93..<97])
        // A zero before the last byte of the comment makes that a track.
        let hasTrack = tag[125] == 0 && tag[126] != 0
        metadata.comment = text(tag[97..<(hasTrack ? 125 : 127)])
        metadata.trackNumber = hasTrack ? "\(tag[126])" : nil
        metadata.genre = Int(tag[127]) < genres.count ? genres[Int(tag[127])] : nil
        return metadata
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        let bytes = field.prefix { $0 != 0 }
        // LAME writes the bytes it is given, which are often UTF-8.
        let text = String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        guard let end = text.lastIndex(where: { $0 != " " }) else { return nil }
        return String(text[...end])
    }

    private static let genres = [
        "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz", "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap",
        "Reggae", "Rock", "Techno", "Industrial", "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno", "Ambient", "Trip-Hop", "Vocal",
        "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental", "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise", "Alternative Rock", "Bass", "Soul",
        "Punk", "Space", "Meditative", "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave", "Techno-Industrial", "Electronic", "Pop-Folk",
        "Eurodance", "Dream", "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk", "Jungle", "Native US", "Cabaret", "New Wave",
        "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll", "Hard Rock",
    ]
}
