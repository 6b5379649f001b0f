// What can go wrong with a sound file.

import OssicleCore
import OssicleLibraries

/// A refusal or failure that concerns one sound file; the object is its path.
package typealias AudioFileError = Fault<AudioFileFault>

package enum AudioFileFault: FaultKind {
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

    package static func title(_ path: String) -> String { "sound file \"\(path)\"" }
}

extension AudioFileError {
    package init(_ kind: AudioFileFault, path: String, found: String, rule: String, cure: String) {
        self.init(kind, object: path, found: found, rule: rule, cure: cure)
    }

    package var path: String { object }

    /// Loads a library, ahead of any other call of it; throws where it is not there.
    static func load(_ library: OptionalLibrary, for path: String) throws(AudioFileError) {
        guard !library.isThere else { return }
        throw AudioFileError(
            OptionalLibrary.areLookedFor ? .unsupported : .traitOff, path: path, found: library.missing.found,
            rule: "\(library.name) does \(library.purpose).", cure: library.missing.cure)
    }

    /// Core Audio's status for it.
    package var status: Int32 {
        switch kind {
        case .missing: -43 // file not found
        case .closed: -38 // file not open
        case .notOptimized: FourCC("optm").status
        case .notPermitted: FourCC("prm?").status
        case .notAFile, .unrecognized: FourCC("typ?").status
        case .empty, .damaged: FourCC("dta?").status
        case .unsupported, .traitOff: FourCC("fmt?").status
        case .tooLarge: -108 // memory full
        case .outOfRange: -50 // parameter
        case .writeFailed: FourCC("wht?").status
        }
    }
}

extension FourCC {
    fileprivate var status: Int32 { Int32(bitPattern: value) }
}
