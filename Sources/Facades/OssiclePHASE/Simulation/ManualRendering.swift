import OssicleAVFAudio

/// Offline rendering: the format and the limit that were agreed on.
struct ManualRendering {
    let format: AVAudioFormat
    let maximumFrameCount: AVAudioFrameCount
}
