import OssicleDSP
import OssicleRender

/// One mix on its way out, the engine's or a listener's: a room of its own, and a master with meters and limiter.
///
///     strips ──▶ direct ──────────────┬─▶ insert effects ──▶ master ──▶ output ──▶ taps
///        ├─ corners ──▶ early field ──┤
///        └─ send ──▶ room ──▶ late ───┘
final class OutputBus {
    let reverb: RoomReverb
    let early: EarlyField
    let master: RendererBox<MasterRenderer>
    private let channelCount: Int
    private var metersBefore = MasterRenderer.Meters()

    init(reverb: RoomReverb, early: EarlyField, sampleRate: Double, channelCount: Int) {
        (self.reverb, self.early, self.channelCount) = (reverb, early, channelCount)
        master = RendererBox(MasterRenderer(sampleRate: sampleRate, channelCount: channelCount))
    }

    /// All that has no direction changes over to another head.
    func hear(with head: HeadFilters, at position: Int64) {
        reverb.hear(with: head, at: position)
        early.hear(with: head, at: position)
    }

    /// Readies the mix for the next plan.
    /// - Returns: whether it has to be made.
    func update(_ preset: PHASEReverbPreset, at position: Int64) -> Bool {
        let roomChanges = reverb.set(preset, at: position)
        return early.forgetEars(at: position) || roomChanges
    }

    /// What the plan keeps alive.
    var companions: [AnyObject] { reverb.ears + early.ears.alive }

    /// What the master has counted since the last call.
    func takeMeters() -> PHASEMeters {
        let cell = master.pointer.pointee.meters
        let now = cell.takeIfNew() ?? cell.current
        let before = metersBefore
        metersBefore = now
        let samples = Double(max(now.frames - before.frames, 1)) * Double(max(channelCount, 1))
        return PHASEMeters(frames: now.frames - before.frames, directPower: (now.directEnergy - before.directEnergy) / samples,
                           reverbPower: (now.reverbEnergy - before.reverbEnergy) / samples, peak: Double(now.peak),
                           limitedFrames: now.limitedFrames - before.limitedFrames, nonFiniteFrames: now.nonFiniteFrames - before.nonFiniteFrames)
    }
}

extension PHASEMeters {
    /// Of a mix that does not sound.
    static let nothing = PHASEMeters(frames: 0, directPower: 0, reverbPower: 0, peak: 0, limitedFrames: 0, nonFiniteFrames: 0)
}
