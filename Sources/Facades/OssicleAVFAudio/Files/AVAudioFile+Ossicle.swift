// Additions to Apple's file.

import OssicleCoreAudioTypes
import OssicleFiles

extension AVAudioFile {
    /// What a sound file says about its content; `nil` where it says nothing.
    public struct Metadata: Equatable, Sendable {
        /// Of the work.
        public var title: String?
        /// The performer.
        public var artist: String?
        /// What it is a part of.
        public var album: String?
        /// Free text.
        public var comment: String?
        /// As the file spells it, often only a year.
        public var date: String?
        /// As the file spells it.
        public var genre: String?
        /// As the file spells it: "3" or "3/12".
        public var trackNumber: String?
        /// The notice, as the file spells it.
        public var copyright: String?
        /// The program that made the file.
        public var encodingApplication: String?

        /// Nothing.
        public init() {}
    }
}

extension AVAudioFile: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioFile {
    /// What the file says about its content.
    public var metadata: AVAudioFile.Metadata { AVAudioFile.Metadata(facts) }

    /// Gives a file being written its metadata. Throws when frames have been written, or the file is being read or
    /// closed. A container keeps what it has a place for.
    public func setMetadata(_ metadata: AVAudioFile.Metadata) throws { try begin(with: AudioMetadata(metadata)) }

    /// What is wrong with the file, in sentences: that it is cut short or was never finished, that frames are missing
    /// or samples were not finite (as far as it has been read), that closing it failed. Empty for a whole file. Each is
    /// written to standard error once, when it is found.
    public var fileWarnings: [String] { warnings }

    /// Length in seconds; while writing, of what has been written.
    public var duration: Double { Double(length) / processingFormat.sampleRate }
}

private typealias Field<Owner> = WritableKeyPath<Owner, String?> & Sendable

private let fields: [(shown: Field<AVAudioFile.Metadata>, kept: Field<AudioMetadata>)] = [
    (\.title, \.title), (\.artist, \.artist), (\.album, \.album), (\.comment, \.comment), (\.date, \.date),
    (\.genre, \.genre),
    (\.trackNumber, \.trackNumber), (\.copyright, \.copyright), (\.encodingApplication, \.encodingApplication),
]

extension AVAudioFile.Metadata {
    fileprivate init(_ metadata: AudioMetadata) {
        for field in fields { self[keyPath: field.shown] = metadata[keyPath: field.kept] }
    }
}

extension AudioMetadata {
    fileprivate init(_ metadata: AVAudioFile.Metadata) {
        self.init()
        for field in fields { self[keyPath: field.kept] = metadata[keyPath: field.shown] }
    }
}
