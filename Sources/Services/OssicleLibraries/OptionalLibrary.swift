// Libraries of the system that are used where they are installed.

import CAssimp
import CFlac
import CMpg123
import CMysofa
import COpus
import CSndfile
import CSoxr

/// A library that is looked for when it is first needed: a build needs none of them, and a program starts without.
///
/// What a library does is not done otherwise where it is missing: the caller gets an error that says what to install.
/// So the same build gives the same sound on every machine, or none.
package enum OptionalLibrary: CaseIterable, Sendable {
    case sndfile, soxr, flac, opus, mpg123, mysofa, assimp

    /// Whether the library is there; loads it at the first call. From any thread.
    package var isThere: Bool {
        guard Self.areLookedFor else { return false }
        return switch self {
        case .sndfile: ossicle_load_sndfile()
        case .soxr: ossicle_load_soxr()
        case .flac: ossicle_load_flac()
        case .opus: ossicle_load_opus()
        case .mpg123: ossicle_load_mpg123()
        case .mysofa: ossicle_load_mysofa()
        case .assimp: ossicle_load_assimp()
        }
    }

    #if SystemLibraries
    /// Whether this build looks for libraries at all: with the package trait of that name.
    package static let areLookedFor = true
    #else
    /// Whether this build looks for libraries at all: with the package trait of that name.
    package static let areLookedFor = false
    #endif

    /// What errors call it.
    package var name: String {
        switch self {
        case .sndfile: "libsndfile"
        case .soxr: "libsoxr"
        case .flac: "libFLAC"
        case .opus: "libopus"
        case .mpg123: "libmpg123"
        case .mysofa: "libmysofa"
        case .assimp: "assimp 5"
        }
    }

    /// The package that has it on Debian 12 and 13.
    package var debianPackage: String {
        switch self {
        case .sndfile: "libsndfile1"
        case .soxr: "libsoxr0"
        case .flac: "libflac12 (Debian 13: libflac14)"
        case .opus: "libopus0"
        case .mpg123: "libmpg123-0 (Debian 13: libmpg123-0t64)"
        case .mysofa: "libmysofa1"
        case .assimp: "libassimp5"
        }
    }

    /// What it is used for.
    package var purpose: String {
        switch self {
        case .sndfile: "Ogg Vorbis, MP3 and FLAC files, ADPCM in WAV, and writing Ogg and MP3"
        case .soxr: "changes of the sample rate"
        case .flac: "FLAC packets"
        case .opus: "Opus packets"
        case .mpg123: "MPEG audio"
        case .mysofa: "HRTFs in SOFA files"
        case .assimp: "scenes in OBJ files"
        }
    }

    /// What an error says where the library is not there, and what helps.
    package var missing: (found: String, cure: String) {
        Self.areLookedFor
            ? ("\(name) is missing", "Install it: on Debian apt-get install \(debianPackage).")
            : (
                "the package trait \"SystemLibraries\" is off, with which \(name) is looked for",
                "Depend on Ossicle with the trait, which is a default, and install \(debianPackage)."
            )
    }
}
