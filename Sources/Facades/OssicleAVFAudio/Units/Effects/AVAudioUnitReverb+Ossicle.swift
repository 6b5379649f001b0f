// Measured rooms in a reverb: an addition to Apple's interface.

import OssicleAudioToolbox
import OssicleFiles
import OssicleNodes
import OssiclePlayback

extension OssicleAdditions where Self: AVAudioUnitReverb {
    /// Takes a measured room in place of a preset's: sound is convolved with the impulse response in a sound file of
    /// any readable kind.
    ///
    /// - One channel serves every channel of the unit by itself. Two are those of the left and the right. Four are left
    ///   to left, left to right, right to left, right to right ("true stereo"). A unit of more than two channels takes
    ///   them in pairs.
    /// - Up to 20 s, at any rate: it is converted to the unit's.
    /// - Without added latency; `auAudioUnit.tailTime` is the response's length.
    ///
    /// `wetDryMix` and the unit's gain work as before; the parameters that change a preset's room have no effect. While
    /// sound plays the room before is fed until the new one has filled, and rings out. `loadFactoryPreset(_:)` and
    /// `unloadImpulseResponse()` go back to a preset's room. Any thread but the render thread; takes some tens of
    /// milliseconds.
    ///
    /// - Parameters:
    ///   - url: a sound file on this machine.
    ///   - normalized: whether the response is scaled so that noise of the octaves of 500 Hz and 1 kHz leaves as loud
    ///     as it came, which is the level of the presets; otherwise its samples are taken as they are. Default true.
    /// - Throws: for a file that cannot be read, or whose response is silent, too long, not finite or of another number
    ///   of channels. The unit stays as it was.
    public func loadImpulseResponse(contentsOf url: URL, normalized: Bool = true) throws {
        guard let path = url.localPath else {
            throw OssicleError.avfaudio(
                kAudioUnitErr_InvalidFile, title, value: "\(url)", rule: "An impulse response is a local file.",
                cure: "Download it first.")
        }
        try take {
            try ImpulseResponse(path: path, isNormalized: normalized)
        }
    }

    /// The same with a response in memory: the valid frames of a buffer of linear PCM, which are copied.
    public func loadImpulseResponse(_ buffer: AVAudioPCMBuffer, normalized: Bool = true) throws {
        let (rate, count) = (buffer.format.sampleRate, buffer.format.channelCount)
        let format = buffer.format.channelLayout.map {
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: rate, interleaved: false, channelLayout: $0)
        }
        guard
            let format = format
                ?? AVAudioFormat(
                    commonFormat: .pcmFormatFloat32, sampleRate: rate, channels: count, interleaved: false),
            let planes = buffer.converted(to: format), let data = planes.floatChannelData
        else {
            throw OssicleError.avfaudio(
                kAudioUnitErr_FormatNotSupported, title, value: "an impulse response of \(buffer.format)",
                rule: "A response in memory is linear PCM.", cure: "Convert it with AVAudioConverter.")
        }
        let (frames, stride) = (Int(planes.frameLength), planes.stride)
        let channels = (0..<Int(count)).map { channel in
            (0..<frames).map { data[channel][$0 * stride] }
        }
        try take {
            try ImpulseResponse(
                channels, sampleRate: rate, name: "buffer", isNormalized: normalized)
        }
    }

    /// Goes back to the room of the factory preset that was loaded last. Without a response nothing happens.
    public func unloadImpulseResponse() { replaceResponse(with: nil) }

    /// Whether a measured room is in use.
    public var hasImpulseResponse: Bool { lock.withLock { (driver as? any ResponseDriver)?.response != nil } }

    private func take(_ make: () throws -> ImpulseResponse) throws {
        do {
            replaceResponse(with: try make())
        } catch let error as ImpulseResponseError {
            throw OssicleError.avfaudio(
                kAudioUnitErr_InvalidFile, "\(title), impulse response \"\(error.object)\"", value: error.found,
                rule: error.rule, cure: error.cure)
        } catch let error as AudioFileError {
            throw OssicleError(error)
        }
    }

}

extension AVAudioUnit {
    /// Of a reverb; nil for the room of its preset.
    func replaceResponse(with response: ImpulseResponse?) {
        let isOther = lock.withLock {
            guard let driver = driver as? any ResponseDriver, response != nil || driver.response != nil else {
                return false
            }
            driver.load(response)
            return true
        }
        if isOther { note(.response(response?.record)) }
        update()
    }
}
