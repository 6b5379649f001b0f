/// What is wrong with a sound file that can be read nevertheless.
package struct AudioFileWarning: Equatable, Sendable {
    package enum Kind: Sendable {
        /// Its header and its bytes tell different lengths, or a part of it is left out; known when it is opened.
        case shape
        /// Frames it tells of were not there when they were read.
        case missing
        /// Samples were not finite; the text tells how many, so far.
        case notFinite
    }

    package let kind: Kind
    /// A sentence without its full stop whose subject, "it", is the file.
    package let text: String
}
