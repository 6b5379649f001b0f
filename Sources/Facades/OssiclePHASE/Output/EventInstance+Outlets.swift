/// What hangs on the mixers of an event.
extension EventInstance {
    /// Frames it goes on sounding after its voices have ended: each strip, and the effects ahead of it.
    func tail(sampleRate: Double) -> Int64 {
        strips.map { mixer, strip in strip.tail + (facade(of: mixer)?.inserts.tail(sampleRate: sampleRate) ?? 0) }.max() ?? 0
    }

    /// The client's view of a mixer; nil for one whose name another had before.
    func facade(of mixer: Int) -> PHASEMixer? {
        let name = tree.mixers[mixer].identifier
        return tree.mixers.firstIndex { $0.identifier == name } == mixer ? mixers[name] : nil
    }

    /// Gives the units of its insert effects free.
    func dismissEffects() {
        for mixer in mixers.values { mixer.inserts.dismiss() }
    }
}

extension EventInstance.Binding {
    /// Who hears it; nil for a channel mixer, which belongs to nobody.
    var listener: PHASEListener? {
        switch self {
        case .spatial(_, let listener), .ambient(let listener): listener
        case .channel: nil
        }
    }
}
