import OssicleDevices

/// Plays a recording on the default sound device.
enum Loudspeaker {
    /// Returns when it has been heard, with a line for the user; a machine without a sound device is no error.
    static func play(_ recording: Recording) throws -> String {
        do {
            let device = try DefaultDevice.open(sampleRate: Double(recording.sampleRate), channelCount: 2)
            try device.play(interleaved: zip(recording.left, recording.right).flatMap { [$0, $1] })
            return "played on  \(device.name)"
        } catch let error as DeviceError where error.meansNoDevice {
            return "not played  no output device (\(error.reason))"
        }
    }
}
