import OssicleCore
import OssicleDSP

extension EnvironmentStripRenderer {
    /// Every channel to the outputs or the ears.
    mutating func route(_ new: Parameters, gain: Float) {
        for channel in 0..<channelCount {
            switch new.localiser {
            case .channels: copy(channel, gain)
            case .passThrough: passThrough(channel, gain)
            case .equalPower, .speakers, .sphere, .head:
                if new.shape == .point { placePoint(channel, new, gain) } else { placeInBed(channel, new, gain) }
            }
        }
    }

    private func copy(_ channel: Int, _ gain: Float) {
        for output in 0..<outputCount { panned[output, channel] = panned[output, channel] + placement.copy(channel, to: output) * gain }
    }

    /// One channel goes to both sides, of more the first two; a single output hears their mean.
    private func passThrough(_ channel: Int, _ gain: Float) {
        switch (channelCount, outputCount) {
        case (1, _): for output in 0..<min(outputCount, 2) { panned[output, channel] = gain }
        case (_, 1): if channel < 2 { panned[0, channel] = gain * 0.5 }
        default: if channel < 2 { panned[channel, channel] = gain }
        }
    }

    private mutating func placePoint(_ channel: Int, _ new: Parameters, _ gain: Float) {
        let inside = min(max(new.inside, 0), 1)
        if new.splitsInside { copy(channel, gain * inside) }
        let outside = gain * (1 - inside)
        if earsHear(new.localiser) {
            // All channels of a point are one sound: the first voice's.
            let place = Ears.Place(direction: new.direction, distance: new.distance, inside: new.splitsInside ? 0 : inside)
            listen(new.localiser, channel, voice: 0, place, new.splitsInside ? outside : gain)
        } else {
            pan(channel, placement.gains(new.localiser, new.direction), outside)
            if !new.splitsInside { pan(channel, placement.middle(new.localiser), gain * inside) }
        }
    }

    private mutating func placeInBed(_ channel: Int, _ new: Parameters, _ gain: Float) {
        guard let at = placement.direction(channel) else { return copy(channel, gain) }
        let direction = new.right * at.x + new.up * at.y + new.back * at.z
        if earsHear(new.localiser) {
            listen(new.localiser, channel, voice: channel, Ears.Place(direction: direction, distance: .greatestFiniteMagnitude, inside: 0), gain)
        } else {
            pan(channel, placement.gains(new.localiser, direction), gain)
        }
    }

    private func pan(_ channel: Int, _ gains: UnsafePointer<Float>, _ gain: Float) {
        for output in 0..<outputCount { panned[output, channel] = panned[output, channel] + gains[output] * gain }
    }

    /// A single output is no pair of ears.
    private func earsHear(_ localiser: Localiser) -> Bool { outputCount > 1 && (localiser == .sphere || localiser == .head) }

    private mutating func listen(_ localiser: Localiser, _ channel: Int, voice: Int, _ place: Ears.Place, _ gain: Float) {
        if localiser == .sphere {
            sphere.feed(channel, to: voice, gain: gain)
            sphere.place(voice, place)
        } else {
            head.feed(channel, to: voice, gain: gain)
            head.place(voice, place)
        }
    }
}
