// Members that clients write for themselves, under names that Ossicle's additions have as well. Each gives a value only
// this library gives.

import AVFAudio
import PHASE

extension AVAudioFile {
    public var duration: TimeInterval { -1 }
    public var metadata: [String: String] { ["from": "wrapper"] }
    public func loudness() -> String { "wrapper" }
}

extension AVAudioPCMBuffer {
    public func loudness() -> String { "wrapper" }
}

extension AVAudioEngine {
    public var lastError: String? { "wrapper" }
    public var errorHandler: String {
        get { "wrapper" }
        set {}
    }
    public var isInspectionEnabled: String { "wrapper" }
    public func drainCallbacks() -> String { "wrapper" }
    public func dumpGraph() -> Int { -1 }
}

extension AVAudioConverter {
    public var lastError: String? { "wrapper" }
}

extension AVAudioPlayerNode {
    public var starvedFrameCount: Int { -1 }
    public static func play(_ players: [AVAudioPlayerNode]) -> String { "wrapper" }
}

extension PHASEEngine {
    public var lastError: String? { "wrapper" }
    public var randomSeed: String { "wrapper" }
    public var maximumVoiceCount: String { "wrapper" }
}

extension PHASEObject {
    public var name: Int { -1 }
}

extension PHASEMedium {
    public var temperature: String { "wrapper" }
}
