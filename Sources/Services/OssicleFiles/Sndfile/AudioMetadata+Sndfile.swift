// What a file says about its content, in libsndfile's words.

import CSndfile

extension AudioMetadata {
    private static let fields: [(path: WritableKeyPath<AudioMetadata, String?> & Sendable, number: Int)] = [
        (\.title, SF_STR_TITLE), (\.artist, SF_STR_ARTIST), (\.album, SF_STR_ALBUM), (\.comment, SF_STR_COMMENT), (\.date, SF_STR_DATE),
        (\.genre, SF_STR_GENRE), (\.trackNumber, SF_STR_TRACKNUMBER), (\.copyright, SF_STR_COPYRIGHT), (\.encodingApplication, SF_STR_SOFTWARE),
    ]
    /// libsndfile has room for about 100 KB of header.
    private static let longest = 8192
    /// The library adds its own name to that of the writing program.
    private static let signature = " (libsndfile-"

    /// The metadata of an open file.
    init(_ file: VirtualFile) {
        self.init()
        for field in Self.fields {
            guard let text = sf_get_string(file.handle, Int32(field.number)) else { continue }
            let words = String(cString: text)
            self[keyPath: field.path] = words.isEmpty ? nil : words
        }
        if let program = encodingApplication, let end = program.firstRange(of: Self.signature) { encodingApplication = String(program[..<end.lowerBound]) }
    }

    /// Puts the metadata into a file being written, before its samples; what the container has no place for is left out.
    func write(to file: VirtualFile) {
        for field in Self.fields {
            guard let text = self[keyPath: field.path], !text.isEmpty, text.utf8.count < Self.longest, !text.utf8.contains(0) else { continue }
            sf_set_string(file.handle, Int32(field.number), text)
        }
    }
}
