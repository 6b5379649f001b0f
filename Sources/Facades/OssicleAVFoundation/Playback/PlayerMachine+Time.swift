// As time goes by.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// The player's clock, and manual rendering.
extension PlayerMachine {
    /// Under the lock: so many frames of output have been rendered. Ends and observers that this passes are dealt with.
    func advance(by frames: Int) {
        guard frames > 0, transport.status == .playing else { return }
        var goal = min(timeline.heard + Double(frames) * graph.advance, Double(graph.ring.takenCount))
        while let stretch = timeline.current {
            let end = Double(stretch.ringEnd), place = min(max(goal, timeline.heard), end)
            pass(stretch, from: timeline.heard, to: place)
            timeline.heard = place
            guard !stretch.end.isOpen, place >= end - 1e-6 else { break }
            timeline.heard = end
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
    func tellPeriodicObservers() {
        guard let time = position else { return }
        for observer in observers {
            if case .periodic(_, let block) = observer.kind { call(observer) { block(time) } }
        }
    }

    /// On the observer's queue, or in step with the sound in manual rendering.
    private func call(_ observer: TimeObserver, _ block: @escaping () -> Void) {
        if manual != nil { return tell(block) }
        let work = DispatchWorkItem(block: block)
        tell { (observer.queue ?? .main).async(execute: work) }
    }

    /// Frames of output to the next end or observer; at least 1.
    private var framesToNextEvent: Int {
        guard let stretch = timeline.current else { return .max }
        let place = timeline.heard, frame = stretch.itemFrame(at: place), sign = Double(stretch.direction)
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

    // MARK: Manual rendering

    /// Takes sound by calls from now on; throws what keeps the engine from it.
    func enableManual(_ format: AVAudioFormat, _ maximum: AVAudioFrameCount) throws {
        try locked { _ in
            setClock(isOn: false)
            graph.engine.stop()
            try graph.engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximum)
            guard let piece = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: maximum) else { return }
            manual = ManualClock(format: format, piece: piece, maximum: Int(maximum))
            try graph.run()
            update()
        }
    }

    func disableManual() {
        locked { _ in
            guard manual != nil else { return }
            manual = nil
            graph.engine.disableManualRenderingMode()
            update()
        }
    }

    /// Renders the next frames; silence while the player is paused or waits. Without the lock.
    func render(_ count: Int, to buffer: AVAudioPCMBuffer) throws -> AVAudioEngineManualRenderingStatus {
        buffer.frameLength = AVAudioFrameCount(count)
        locked { $0.manual?.isRendering = true }
        defer { locked { $0.manual?.isRendering = false } }
        var done = 0
        while done < count {
            let (frames, isPlaying) = locked(inStep: true) { machine in machine.nextSlice(count - done) }
            try renderSlice(frames, isPlaying, to: buffer, at: done)
            locked(inStep: true) { machine in
                machine.manual?.frames += Int64(frames)
                guard isPlaying else { return }
                machine.advance(by: frames)
                machine.read()
            }
            done += frames
        }
        return .success
    }

    private func renderSlice(_ frames: Int, _ isPlaying: Bool, to buffer: AVAudioPCMBuffer, at offset: Int) throws {
        if !isPlaying { return buffer.clear(frames, at: offset) }
        guard let piece = locked({ $0.manual?.piece }) else { return }
        try locked { try $0.graph.run() }
        try graph.engine.renderOffline(AVAudioFrameCount(frames), to: piece)
        buffer.copy(piece, frames, at: offset)
    }

    /// Waits until there is sound for the next slice, for a limited time, and returns its length and whether it sounds.
    private func nextSlice(_ wanted: Int) -> (frames: Int, isPlaying: Bool) {
        guard let clock = manual else { return (wanted, false) }
        let end = Date(timeIntervalSinceNow: clock.patience)
        while lacksSound, !reading.isStarved {
            if !condition.wait(until: end) { reading.isStarved = true }
        }
        settle()
        if reading.isStarved, graph.ring.available == 0 { checkForStall() }
        update()
        guard transport.status == .playing else { return (wanted, false) }
        if clock.frames < clock.start { return (Int(min(Int64(wanted), clock.start - clock.frames)), false) }
        var frames = min(wanted, clock.maximum, framesToNextEvent, max(1, Int(32_768 / graph.advance)))
        if reading.isStarved {
            frames = min(frames, max(1, Int(Double(graph.ring.available) / graph.advance)))
        }
        return (frames, true)
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

extension AVAudioPCMBuffer {
    /// Silence in a part.
    fileprivate func clear(_ frames: Int, at offset: Int) {
        forEachPart(frames, offset) { target, count in memset(target, 0, count) }
    }

    /// The first frames of another buffer of the same format, from `offset` on.
    fileprivate func copy(_ other: AVAudioPCMBuffer, _ frames: Int, at offset: Int) {
        let sources = UnsafeMutableAudioBufferListPointer(other.mutableAudioBufferList)
        var index = 0
        forEachPart(frames, offset) { target, count in
            if let source = sources[index].mData { memcpy(target, source, count) }
            index += 1
        }
    }

    private func forEachPart(_ frames: Int, _ offset: Int, _ body: (UnsafeMutableRawPointer, Int) -> Void) {
        let frameBytes = Int(format.streamDescription.pointee.mBytesPerFrame)
        for buffer in UnsafeMutableAudioBufferListPointer(mutableAudioBufferList) {
            if let data = buffer.mData { body(data + offset * frameBytes, frames * frameBytes) }
        }
    }
}
