/// What a sound file says about its content.
package struct AudioMetadata: Equatable, Sendable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var comment: String?
    package var date: String?
    package var genre: String?
    package var trackNumber: String?
    package var copyright: String?
    package var encodingApplication: String?

    package init() {}

    package var isEmpty: Bool { self == AudioMetadata() }
}
