import Foundation
import OssicleFiles

/// The form of a recording of commands, version 1.
///
/// Text in UTF-8, lines that end in LF. Each has eight hexadecimal digits, a space and a JSON object. The digits are
/// the start of the SHA-256 of the eight digits before (of the first line: of nothing) and the object's bytes, so that
/// a line that was changed, lost or moved is noticed.
///
///     {"engine": "phase", "format": "ossicle-commands", "version": 1}     the first line
///     {"bytes": "<base64>", "data": "<SHA-256>"}                          what later commands name by its hash
///     {"at": 4800, "do": {…}}                                             a command, at a frame of engine time
///     {"at": 4800, "gap": "…"}                                            what was done and cannot be replayed
///     {"at": 48000, "end": 12}                                            the last line: frames rendered, and lines before it
package enum CommandFile {
    package static let format = "ossicle-commands"
    package static let version = 1

    static func check(_ last: String, _ line: some Collection<UInt8>) -> String {
        String(SHA256.hex(of: Array(last.utf8) + line).prefix(8))
    }

    struct Header: Codable {
        var format: String
        var version: Int
        var engine: String
    }

    /// Any line but the first.
    struct Line<Command: Codable>: Codable {
        var at: Int64?
        var `do`: Command?
        var gap: String?
        var data: String?
        var bytes: Data?
        var end: Int?
    }
}

/// What is wrong with a recording: the file, what was found in it, the rule and the cure.
package struct CommandFileError: Error, Equatable, Sendable {
    package enum Kind: Sendable { case unreadable, unwritable, noRecording, newer, damaged, otherEngine, impossible }

    package let kind: Kind
    package let file, found, rule, cure: String

    package init(_ kind: Kind, file: String, found: String, rule: String, cure: String) {
        (self.kind, self.file, self.found, self.rule, self.cure) = (kind, file, found, rule, cure)
    }
}
