// The state of an item.

import OssicleCoreAudioTypes
import OssicleFiles

/// What opening a file found.
struct ItemFacts: Sendable {
    let rate: Double
    let channels: Int
    let labels: [UInt32]?
    let frames: Int64
    /// Whether its frames can be read backwards at no great cost.
    let isReversible: Bool

    init(_ info: AudioFileInfo, isLocal: Bool) {
        rate = info.sampleRate
        channels = info.channelCount
        labels = info.channelLabels
        frames = info.frameCount
        isReversible = isLocal && (info.codec.isLinear || info.container == .flac)
    }

    var duration: CMTime { CMTime(frame: frames, rate: rate) }
}

/// What a client sets of an item.
struct ItemSettings {
    var forwardEnd = CMTime.invalid
    var reverseEnd = CMTime.invalid
    var algorithm = AVAudioTimePitchAlgorithm.timeDomain
    var spatialization = AVAudioSpatializationFormats.multichannel
    var mix: AVAudioMix?
    var buffer = 0.0
    var isTrackEnabled = true

    /// The algorithm of the mix, or the item's.
    var effectiveAlgorithm: AVAudioTimePitchAlgorithm { mix?.parameters?.audioTimePitchAlgorithm ?? algorithm }
}

/// How far an item has come.
struct ItemState {
    var status = AVPlayerItem.Status.unknown
    var error: OssicleError?
    var facts: ItemFacts?
    var isOpened = false
    var decoder: ItemDecoder?
    var rest = CMTime.zero
    weak var machine: PlayerMachine?
    weak var loop: LoopCore?
}

/// A client's handler of a seek; called once.
struct SeekHandler: @unchecked Sendable {
    private let handler: ((Bool) -> Void)?

    init(_ handler: ((Bool) -> Void)? = nil) { self.handler = handler }

    func call(_ isFinished: Bool) { handler?(isFinished) }
}

/// How an item is provided for.
struct Buffering {
    var isLikelyToKeepUp = false
    var isFull = false
    var isEmpty = true
}
