// What can go wrong with a sound file, in a form that tells what to do.

/// A refusal or failure that concerns one sound file: which file, what was found, the rule it breaks, the cure.
package struct AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// Nothing is at the path, or the folder to write into does not exist.
        case missing
        /// A folder, a device, a pipe: not a regular file.
        case notAFile
        /// The process may not open the file this way.
        case notPermitted
        /// The file has no bytes.
        case empty
        /// The bytes are no sound file known here.
        case unrecognized
        /// The file began well and then broke, with nothing readable in it.
        case damaged
        /// A known container or codec that is not supported, or a combination that does not exist.
        case unsupported
        /// What the file needs comes with a package trait that is off.
        case traitOff
        /// Bytes that come in order cannot be cut into packets, because what tells how lies behind them.
        case notOptimized
        /// More than memory, or the container, holds.
        case tooLarge
        /// The reader or writer has been closed.
        case closed
        /// An argument is out of its range.
        case outOfRange
        /// The system refused to write, for instance because the disk is full.
        case writeFailed
    }

    package let kind: Kind
    package let path: String
    /// What was found.
    package let found: String
    package let rule: String
    package let cure: String

    package init(_ kind: Kind, path: String, found: String, rule: String, cure: String) {
        self.kind = kind
        self.path = path
        self.found = found
        self.rule = rule
        self.cure = cure
    }

    package var description: String { "sound file \"\(path)\": \(found). \(rule) \(cure)" }
}
