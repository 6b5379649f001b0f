// The errors of AVFAudio, and what the floors below report as such.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleMIDI
import OssiclePlayback

/// The domain of AVFAudio's errors.
let avfaudioErrorDomain = "com.apple.coreaudio.avfaudio"

extension OssicleError {
    /// An error of AVFAudio with the code `status`.
    static func avfaudio(
        _ status: OSStatus, _ object: String, value: String, rule: String, cure: String
    ) -> OssicleError {
        OssicleError(
            domain: avfaudioErrorDomain, code: Int(status), object: object, value: value, rule: rule, cure: cure)
    }

    /// A failure of a sound file, with the code Core Audio has for it.
    convenience init(_ error: AudioFileError) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(Self.status(error)), object: "AVAudioFile \"\(error.path)\"",
            value: error.found,
            rule: error.rule, cure: error.cure)
    }

    /// As the C interface tells it, but that AVFAudio has a closed file be not there.
    private static func status(_ error: AudioFileError) -> OSStatus {
        error.kind == .closed ? kAudio_FileNotFoundError : error.status
    }

    convenience init(_ fault: FileStreamFault) {
        switch fault {
        case .unreadable(let error): self.init(error)
        case .nonFinite(let samples, let path): self.init(nonFinite: Int64(samples), in: "AVAudioFile \"\(path)\"")
        }
    }

    /// Samples of `object` are NaN or infinite.
    convenience init(nonFinite count: Int64, in object: String) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(kAudioUnitErr_InvalidParameterValue), object: object,
            value: "\(count) sample\(count == 1 ? "" : "s") that are NaN or infinite",
            rule: "Sound is made of finite numbers; any other is played as 0. This is recorded once.",
            cure: "Look for a division by zero, or for memory that was not written.")
    }

    convenience init(_ fault: SequenceError) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(fault.kind.status), object: fault.object, value: fault.found,
            rule: fault.rule, cure: fault.cure)
    }

    convenience init(_ fault: MIDIFileError) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(fault.status), object: "MIDI file \"\(fault.object)\"",
            value: fault.found, rule: fault.rule, cure: fault.cure)
    }
}

/// The error of what is declared and not there yet; `Documentation/Status.md` lists its callers.
func notImplemented(_ feature: String, _ consequence: String) -> OssicleError {
    .avfaudio(
        kAudio_UnimplementedError, feature, value: "asked for", rule: "This is not implemented in Ossicle yet.",
        cure: consequence)
}
