import OssicleDevices
import OssicleInspection

/// Follows the load of a session from look to look.
package struct LoadReader {
    private var before = (busy: UInt64(0), frames: UInt64(0))

    package init() {}

    /// Since the last call. Under the engine's lock.
    package mutating func read(_ session: RenderSession) -> InspectedLoad {
        var load = InspectedLoad()
        guard let device = session.device else {
            before = (0, 0)
            return load
        }
        let totals = device.load.totals
        // A device that was opened anew counts from 0.
        if totals.frames < before.frames { before = (0, 0) }
        let (frames, perFrame) = (Double(totals.frames - before.frames), 1e9 / device.sampleRate)
        if frames > 0 {
            load.mean = (Double(totals.busy - before.busy) / (frames * perFrame)).brief
            load.worst = (Double(device.load.takeWorst()) / perFrame).brief
        }
        before = totals
        load.dropouts = device.dropoutCount
        load.lag = session.overload.lag.brief
        load.isOverloaded = session.overload.isOverloaded
        load.scheduling = device.scheduling.description
        load.isSilent = device.isSilent
        return load
    }
}
