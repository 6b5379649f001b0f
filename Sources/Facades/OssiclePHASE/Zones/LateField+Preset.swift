import OssicleAcoustics
import OssicleCore
import OssicleDSP

extension LateField {
    /// The late field of a preset's room; `none` for the preset without one.
    ///
    /// A preset tells the energy of the middle bands. In the others it is that of a field that begins alike in all bands, as a diffuse one does,
    /// and decays with their own T60.
    package init(_ preset: PHASEReverbPreset) {
        guard let room = preset.room else {
            self = .none
            return
        }
        let density = room.parameters().energyDensity
        let energy = room.room.t60.map { t60 in
            let decay = 6 * DeterministicMath.ln10 / Double(t60)
            return Float(density / decay * DeterministicMath.exp(-decay * room.room.mixingTime))
        }
        self.init(t60: room.room.t60, energy: energy, mixingTime: room.room.mixingTime, meanFreeTime: room.room.meanFreeTime)
    }
}
