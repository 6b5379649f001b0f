/// What becomes of a device that was started. Heard on the device's thread, in the order in which it happened.
package enum DeviceEvent: Sendable, Hashable {
    case started
    /// `stop` was called, and the last callback has returned.
    case stopped
    /// The device ended by itself; nothing is asked for any more. It may be started again.
    case lost(DeviceError)
    /// Sound takes another way now. Sound goes on meanwhile, in the format the device was opened with.
    case routeChanged(RouteChange)
    /// The hardware behind the device now works natively at this rate and with this many channels. Sound goes on in the format the
    /// device was opened with, converted by the server; to follow the hardware, stop and open anew.
    case formatChanged(sampleRate: Double, channelCount: Int)
}

/// How the way of sound through the machine changed. Devices are named by `DeviceInfo.id`.
package enum RouteChange: Sendable, Hashable {
    /// This stream plays to, or records from, another device now: by the user's choice, or because its device went away.
    case moved(to: String)
    /// Another output is the default now; nil when there is none.
    case defaultOutput(String?)
    /// Another input is the default now; nil when there is none.
    case defaultInput(String?)
    case added(String)
    case removed(String)
}
