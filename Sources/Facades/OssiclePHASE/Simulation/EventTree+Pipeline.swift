import OssicleSoundEvents

extension EventTree {
    var usesEarlyReflections: Bool {
        mixers.contains { mixer in
            if case .spatial(let spatial) = mixer.kind { spatial.earlyReflections != nil } else { false }
        }
    }
}
