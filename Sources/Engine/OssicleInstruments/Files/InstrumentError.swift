// What can be wrong with an instrument as a whole.

import OssicleCore
import OssicleFiles

/// A refusal or failure that concerns one instrument; the object is the path of its file.
package typealias InstrumentError = Fault<InstrumentFault>

package enum InstrumentFault: FaultKind {
    /// Nothing is at the path.
    case missing
    /// The process may not open the file.
    case notPermitted
    /// The bytes are no instrument.
    case unrecognized
    /// A kind of instrument or sample that is not read here.
    case unsupported
    /// The file began well, and there is nothing playable in it.
    case damaged
    /// More zones or samples than are read.
    case tooLarge
    /// The file has no such program.
    case noProgram
    /// A sample that the instrument names is not there.
    case sampleMissing

    package static func title(_ path: String) -> String { "Instrument \"\(path)\"" }
}

extension InstrumentError {
    /// Core Audio's status for it.
    package var status: Int32 {
        switch kind {
        case .missing, .sampleMissing: -43 // file not found
        case .notPermitted: -54 // permission
        case .unrecognized, .unsupported: -10871 // kAudioUnitErr_InvalidFile
        case .damaged: -39 // end of file
        case .tooLarge: -108 // memory full
        case .noProgram: -10851 // kAudioUnitErr_InvalidPropertyValue
        }
    }

    /// What a sound file's error means for the instrument that is made of it.
    init(_ error: AudioFileError) {
        let kind: InstrumentFault =
            switch error.kind {
            case .missing: .missing
            case .notPermitted: .notPermitted
            case .unsupported, .traitOff: .unsupported
            case .unrecognized, .notAFile, .empty: .unrecognized
            case .tooLarge: .tooLarge
            default: .damaged
            }
        self.init(kind, object: error.object, found: error.found, rule: error.rule, cure: error.cure)
    }
}
