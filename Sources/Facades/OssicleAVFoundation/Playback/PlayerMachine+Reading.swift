// From items to the ring.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// Decoding, on the reading queue. Under the lock, except where a comment says otherwise.
extension PlayerMachine {
    private var chunk: Int { ItemDecoder.chunk }

    /// The ring's rate.
    var rate: Double { graph.format.sampleRate }

    /// Whether the current item has as much sound ready as it ever will, or the ring holds no more.
    var isFilled: Bool { !reading.isGoing || graph.ring.space < chunk }

    /// Begins to read an item at a frame of the ring's clock, behind what is in the ring.
    func beginReading(_ item: AVPlayerItem, from frame: Int64) {
        guard let facts = item.facts else { return reading.condition = .idle }
        let settings = item.settings, isForward = transport.direction > 0
        let length = facts.duration.frame(rate: rate) ?? 0
        let end = settings.forwardEnd.frame(rate: rate).map { min(max($0, 0), length) } ?? length
        let bottom = settings.reverseEnd.frame(rate: rate).map { min(max($0, 0), length) } ?? 0
        reading.item = item
        reading.frame = min(max(frame, 0), length)
        reading.limit = isForward ? end : bottom
        reading.direction = transport.direction
        reading.condition = .going
        reading.isStarved = false
        timeline.begin(item, from: reading.frame, direction: reading.direction, at: graph.ring.writtenCount)
        read()
    }

    /// Has the ring filled in the background.
    func read() {
        guard reading.condition == .going, !reading.isScheduled, graph.ring.space >= chunk else { return }
        reading.isScheduled = true
        queues.reading.async { [weak self] in
            while self?.readChunk() == true {}
        }
    }

    /// A piece of work for the reading queue.
    private struct Job: @unchecked Sendable {
        let item: AVPlayerItem
        let decoder: ItemDecoder?
        let settings: ItemSettings
        let format: AVAudioFormat
        let planes: ReadingPlanes
        let generation: Int
        /// The first frame in the file's order, and how many.
        let frame: Int64
        let count: Int
        let direction: Int64
    }

    /// On the reading queue, without the lock: decodes a chunk; false when there is nothing to do.
    private func readChunk() -> Bool {
        let job: Job? = locked { machine in
            let job = machine.nextJob()
            if job == nil { machine.reading.isScheduled = false }
            return job
        }
        guard let job else { return false }
        let result = Result { try decode(job) }
        locked { machine in
            guard job.generation == machine.reading.generation else { return }
            machine.accept(result, job)
            machine.settle()
            machine.update()
        }
        return true
    }

    private func nextJob() -> Job? {
        guard reading.condition == .going, let item = reading.item, graph.ring.space >= chunk else { return nil }
        let left = max(0, (reading.limit - reading.frame) * reading.direction)
        let count = Int(min(Int64(chunk), left))
        item.interruption.isSet = false
        return Job(
            item: item, decoder: item.decoder, settings: item.settings, format: graph.format,
            planes: ReadingPlanes(channels: graph.ring.channels, frames: chunk), generation: reading.generation,
            frame: reading.direction > 0 ? reading.frame : reading.frame - Int64(count), count: count,
            direction: reading.direction)
    }

    /// Without the lock: the frames of a job; fewer only at the end.
    private func decode(_ job: Job) throws -> Int {
        guard job.count > 0 else { return 0 }
        let decoder: ItemDecoder
        if let open = job.decoder {
            decoder = open
        } else {
            decoder = ItemDecoder(try job.item.asset.source.open(job.item.interruption))
            job.item.decoder = decoder
        }
        do {
            let done = try decoder.read(job.count, from: job.frame, as: job.format, into: job.planes.pointers)
            if job.item.interruption.isSet, job.item.asset.source.cache != nil { job.item.decoder = nil }
            job.planes.apply(job.settings, from: job.frame, frames: done, rate: job.format.sampleRate)
            if job.direction < 0 { job.planes.reverse(done) }
            return done
        } catch {
            // Where it stands now is not known.
            job.item.decoder = nil
            throw error
        }
    }

    private func accept(_ result: Result<Int, any Error>, _ job: Job) {
        switch result {
        case .success(let count) where count > 0:
            graph.ring.write(job.planes.pointers, frames: count)
            timeline.extend(by: count)
            reading.frame += Int64(count) * reading.direction
            reading.isStarved = false
        case .success:
            // A server that stopped sending is found out where the file's reader takes it for the end.
            if let failure = job.item.asset.source.cache?.failure, job.count > 0 { return breakOff(job.item, failure) }
            finish(job.item)
        case .failure(let error): breakOff(job.item, job.item.asset.source.translate(error))
        }
    }

    private func finish(_ item: AVPlayerItem) {
        reading.condition = .ended
        timeline.close(.played)
        readNext()
    }

    private func breakOff(_ item: AVPlayerItem, _ error: OssicleError) {
        reading.condition = .failed
        timeline.close(.failed(error))
    }

    /// Reads on with the next item of the queue, behind the end of the last one, where the player goes on by itself.
    func readNext() {
        guard transport.actionAtEnd == .advance, transport.direction > 0,
            reading.condition == .ended || reading.condition == .opening, let item = reading.item,
            let index = queue.firstIndex(of: item), index + 1 < queue.count
        else { return }
        let next = queue[index + 1]
        switch next.status {
        case .readyToPlay: beginReading(next, from: next.restTime.frame(rate: rate) ?? 0)
        case .unknown:
            reading.condition = .opening
            open(next)
        case .failed:
            reading.item = next
            reading.condition = .failed
            timeline.begin(next, from: 0, direction: 1, at: graph.ring.writtenCount)
            timeline.close(next.failure.map { .failed($0) } ?? .played)
        }
    }
}

/// Memory for a chunk of decoded sound.
private final class ReadingPlanes: @unchecked Sendable {
    let pointers: [UnsafeMutablePointer<Float>]

    init(channels: Int, frames: Int) {
        pointers = (0..<channels).map { _ in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: frames)
            plane.initialize(repeating: 0, count: frames)
            return plane
        }
    }

    deinit { pointers.forEach { $0.deallocate() } }

    /// The volume of the item's mix, frame by frame.
    func apply(_ settings: ItemSettings, from frame: Int64, frames: Int, rate: Double) {
        if !settings.isTrackEnabled {
            for plane in pointers { plane.update(repeating: 0, count: frames) }
        } else if let parameters = settings.mix?.parameters {
            for index in 0..<frames {
                let volume = parameters.volume(at: Double(frame + Int64(index)) / rate)
                for plane in pointers { plane[index] *= volume }
            }
        }
    }

    func reverse(_ frames: Int) {
        for plane in pointers {
            var samples = UnsafeMutableBufferPointer(start: plane, count: frames)
            samples.reverse()
        }
    }
}
