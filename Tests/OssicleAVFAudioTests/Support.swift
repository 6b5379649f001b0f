import OssicleTestSupport
import Foundation
@testable import OssicleAVFAudio

extension TemporaryFolder {
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// The code of the error that `body` throws, if it is one of AVFAudio.
func avfaudioCode(_ body: () throws -> Void) -> OSStatus? {
    do { try body() } catch let error as NSError {
        return error.domain == "com.apple.coreaudio.avfaudio" ? OSStatus(error.code) : nil
    }
    return nil
}

func layoutData(_ tag: AudioChannelLayoutTag) -> Data {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    return Data(bytes: &layout, count: MemoryLayout<AudioChannelLayout>.size)
}
