import OssicleAudioToolbox
import OssicleRender

extension AURenderEvent: LinkedEvent {
    package var frame: Int64 {
        get { head.eventSampleTime }
        set { head.eventSampleTime = newValue }
    }

    package var following: UnsafeMutablePointer<AURenderEvent>? {
        get { head.next }
        set { head.next = newValue }
    }

    /// `AUEventSampleTimeImmediate` and up to 4095 frames more count from the cycle's start.
    package static func effective(_ frame: Int64, from start: Int64) -> Int64 {
        let (offset, overflow) = frame.subtractingReportingOverflow(AUEventSampleTimeImmediate)
        if !overflow, (0..<4096).contains(offset) { return start + offset }
        return max(frame, start)
    }
}

extension EventQueue<AURenderEvent> {
    /// Room for as many events as may wait.
    convenience init() { self.init(capacity: 512, empty: AURenderEvent()) }
}

extension ParameterEvents {
    /// The events that a unit's render block is given.
    init(_ list: UnsafePointer<AURenderEvent>?) {
        self.init(list.map { UnsafeRawPointer($0) }) { address in
            let event = address.assumingMemoryBound(to: AURenderEvent.self)
            let (head, next) = (event.pointee.head, event.pointee.head.next.map { UnsafeRawPointer($0) })
            guard head.eventType == .parameter || head.eventType == .parameterRamp else {
                return (ParameterEvent(frame: head.eventSampleTime, change: nil), next)
            }
            let parameter = event.pointee.parameter
            let change = ParameterEvent.Change(
                address: parameter.parameterAddress, value: parameter.value,
                frames: Int64(parameter.rampDurationSampleFrames))
            return (ParameterEvent(frame: head.eventSampleTime, change: change), next)
        }
    }
}
