import OssicleAVFAudio
import OssicleCoreAudioTypes

/// The client's times on the engine's clock.
extension EngineCore {
    /// The engine frame that `time` means, the next one to be rendered at the earliest; nil is that one.
    ///
    /// A sample time counts more than a host time. One at another rate is converted, one without a rate counts the engine's frames. A host time
    /// is as far from the next frame as from now; in manual rendering, where no frame has a time of day, host time 0 is frame 0.
    func frame(of time: AVAudioTime?) -> Int64 {
        let next = executor.position
        guard let time, time.isSampleTimeValid || time.isHostTimeValid else { return next }
        let rate = output?.sampleRate ?? Self.defaultFormat.sampleRate
        if time.isSampleTimeValid {
            let isOurs = time.sampleRate == rate || time.sampleRate == 0
            return max(next, isOurs ? time.sampleTime : Int64(nearest: Double(time.sampleTime) / time.sampleRate * rate))
        }
        let seconds = AVAudioTime.seconds(forHostTime: time.hostTime)
        if manual != nil { return max(next, Int64(nearest: seconds * rate)) }
        return max(next, Int64(nearest: Double(next) + (seconds - AVAudioTime.seconds(forHostTime: mach_absolute_time())) * rate))
    }

    /// Nil, with a recorded error, for a time that names no moment.
    func usable(_ time: AVAudioTime?, _ event: EventInstance, _ call: String) -> AVAudioTime? {
        guard let time else { return nil }
        if time.isSampleTimeValid || time.isHostTimeValid { return time }
        record(PHASESoundEventError(.apiMisuse,
            "Event “\(event.assetIdentifier)”: \(call) was given a time without sample time and host time, which counts as now; make it from lastRenderTime."))
        return nil
    }
}

extension Int64 {
    /// The nearest whole number, within what fits; 0 for NaN.
    init(nearest number: Double) {
        let rounded = number.rounded()
        self = Int64(exactly: rounded) ?? (rounded > 0 ? .max : rounded < 0 ? .min : 0)
    }
}
