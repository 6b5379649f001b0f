// What can be wrong with a MIDI file as a whole.

import OssicleCore

/// A refusal or failure that concerns one MIDI file; the object is its path, or what it was given as.
package typealias MIDIFileError = Fault<MIDIFileFault>

package enum MIDIFileFault: FaultKind {
    /// Nothing is at the path.
    case missing
    /// The process may not open the file this way, or it is there and may not be replaced.
    case notPermitted
    /// The file has no bytes.
    case empty
    /// The bytes are no MIDI file.
    case unrecognized
    /// A kind of file that is not read or written here.
    case unsupported
    /// The file began well, and there is nothing readable in it.
    case damaged
    /// More bytes, tracks or events than are read.
    case tooLarge
    /// The system refused to write.
    case writeFailed

    package static func title(_ path: String) -> String { "MIDI file \"\(path)\"" }
}

extension MIDIFileError {
    /// Core Audio's status for it.
    package var status: Int32 {
        switch kind {
        case .missing: -43 // file not found
        case .notPermitted: -54 // permission
        case .empty, .damaged: -39 // end of file
        case .unrecognized, .unsupported: -10846 // kAudioToolboxErr_InvalidSequenceType
        case .tooLarge: -108 // memory full
        case .writeFailed: -36 // input or output
        }
    }
}
