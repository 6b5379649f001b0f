// Time: ends, observers, offline rendering.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// Ends and observers. Under the lock.
extension PlayerMachine {
    /// So many frames of output have been rendered: meets the ends and observers that this passes.
    func advance(by frames: Int) {
        guard frames > 0, transport.status == .playing else { return }
        var goal = min(timeline.played + Double(frames) * graph.advance, Double(graph.ring.takenCount))
        while let stretch = timeline.current {
            let end = Double(stretch.ringEnd), place = min(max(goal, timeline.played), end)
            pass(stretch, from: timeline.played, to: place)
            timeline.played = place
            guard !stretch.end.isOpen, place >= end - 1e-6 else { break }
            timeline.played = end
            goal = max(goal, end)
            self.end(stretch)
            guard transport.status == .playing, timeline.current?.item !== stretch.item else { break }
        }
    }

    private func pass(_ stretch: Stretch, from old: Double, to new: Double) {
        guard new > old else { return }
        let a = stretch.itemFrame(at: old), b = stretch.itemFrame(at: new)
        let time = CMTime(frame: max(0, Int64((b + 1e-6).rounded(.down))), rate: rate)
        for observer in observers {
            switch observer.kind {
            case .periodic(let interval, let block):
                let step = interval * rate
                if (a / step + 1e-9).rounded(.down) != (b / step + 1e-9).rounded(.down) {
                    call(observer) { block(time) }
                }
            case .boundary(let times, let block):
                let isPassed = times.contains {
                    let frame = $0 * rate
                    return a < b ? frame > a + 1e-6 && frame <= b + 1e-6 : frame < a - 1e-6 && frame >= b - 1e-6
                }
                if isPassed { call(observer, block) }
            }
        }
    }

    /// Time has jumped, or begun or ceased to move.
    func callPeriodicObservers() {
        guard let time = position else { return }
        for observer in observers {
            if case .periodic(_, let block) = observer.kind { call(observer) { block(time) } }
        }
    }

    /// On the observer's queue; offline in step with the sound.
    private func call(_ observer: TimeObserver, _ block: @escaping () -> Void) {
        if device != nil { return report(block) }
        let work = DispatchWorkItem(block: block)
        report { (observer.queue ?? .main).async(execute: work) }
    }

    /// Frames of output to the next end or observer; at least 1.
    private var framesToNextEvent: Int {
        guard let stretch = timeline.current else { return .max }
        let place = timeline.played, frame = stretch.itemFrame(at: place), sign = Double(stretch.direction)
        var nearest = Double(stretch.ringEnd) - place
        for observer in observers {
            switch observer.kind {
            case .periodic(let interval, _):
                let step = interval * rate, count = frame / step
                let next = sign > 0 ? (count + 1e-9).rounded(.down) + 1 : (count - 1e-9).rounded(.up) - 1
                nearest = min(nearest, (next * step - frame) * sign)
            case .boundary(let times, _):
                for time in times {
                    let distance = (time * rate - frame) * sign
                    if distance > 1e-6 { nearest = min(nearest, distance) }
                }
            }
        }
        // At an end where the player stays nothing is near.
        if stretch.end.isOpen, nearest <= 1e-6 { nearest = .infinity }
        let frames = (nearest / graph.advance - 1e-6).rounded(.up)
        return frames < 1 ? 1 : frames < 0x1p40 ? Int(frames) : .max
    }
}

/// Rendering by calls of an `OfflineAudioDevice`, on its thread.
extension PlayerMachine: OfflineAudioSource {
    /// Frames that one slice takes from the ring at most, however fast time moves; a ring holds more.
    private static let longestTake = 32_768

    func prepare(_ frames: Int) -> Int {
        locked { _ in
            waitForSound()
            offline.isSlicePlaying = false
            guard transport.status == .playing else { return frames }
            let lead = offline.start - (device?.sampleTime ?? 0)
            guard lead <= 0 else { return Int(min(Int64(frames), lead)) }
            offline.isSlicePlaying = true
            let most = reading.isStarved ? graph.ring.available : Self.longestTake
            return min(frames, framesToNextEvent, max(1, Int(Double(most) / graph.advance)))
        }
    }

    func render(_ frames: Int, to buffer: AVAudioPCMBuffer) throws -> Bool {
        let isPlaying = try locked { _ in
            if offline.isSlicePlaying { try graph.run() }
            return offline.isSlicePlaying
        }
        guard isPlaying else { return false }
        try graph.engine.renderOffline(AVAudioFrameCount(frames), to: buffer)
        locked { _ in
            advance(by: frames)
            read()
        }
        return true
    }

    /// Waits until there is sound for a slice, for a limited time.
    private func waitForSound() {
        let end = Date(timeIntervalSinceNow: offline.dataTimeLimit)
        while lacksSound, !reading.isStarved {
            if !condition.wait(until: end) { reading.isStarved = true }
        }
        settle()
        if reading.isStarved, graph.ring.available == 0 { checkForStall() }
        update()
    }

    /// Whether sound is on its way that the next slice needs.
    private var lacksSound: Bool {
        guard transport.rate != 0 || seeking.target != nil, let item = queue.first else { return false }
        switch item.status {
        case .unknown: return true
        case .failed: return false
        case .readyToPlay: return timeline.current?.item !== item || !isFilled
        }
    }
}
