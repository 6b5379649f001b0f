import OssicleCore

/// Memory for the buffers of one bus, lent to a client that brings none. Render side, except for `init`.
package final class LentMemory: @unchecked Sendable {
    private let form: SampleForm
    /// Bytes from one buffer to the next.
    private let stride: Int
    private let memory: UnsafeMutableRawPointer

    /// - Parameter frames: of one call, at most.
    package init(_ format: any SampleFormat, frames: Int) {
        form = format.sampleForm
        stride = (frames * form.bytesPerFrame + 63) & ~63
        let count = max(form.bufferCount * stride, 64)
        memory = .allocate(byteCount: count, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    /// Gives each buffer without memory some, and all of them their size.
    /// - Returns: false if the list is not of this form or too small; then it is as it was.
    package func complete(_ list: some SampleBufferList, frames: Int) -> Bool {
        let bytes = frames * form.bytesPerFrame
        guard list.bufferCount == form.bufferCount else { return false }
        for index in 0..<form.bufferCount where list.samples(ofBuffer: index) != nil {
            if list.byteCount(ofBuffer: index) < bytes { return false }
        }
        for index in 0..<form.bufferCount {
            set(index, of: list, to: list.samples(ofBuffer: index) ?? memory + index * stride, bytes)
        }
        return true
    }

    /// Points every buffer of a list of this form to this memory.
    package func fill(_ list: some SampleBufferList, frames: Int) {
        for index in 0..<min(form.bufferCount, list.bufferCount) {
            set(index, of: list, to: memory + index * stride, frames * form.bytesPerFrame)
        }
    }

    private func set(_ index: Int, of list: some SampleBufferList, to samples: UnsafeMutableRawPointer, _ bytes: Int) {
        list.setBuffer(index, channels: form.channelsPerBuffer, samples: samples, byteCount: bytes)
    }
}

/// Planes that are rendered into, and their way into a client's buffers of any linear PCM form. Render side, except for
/// `init`.
package final class PlaneWriter: @unchecked Sendable {
    package let channels: Int
    /// Where each channel continues, for those who render piece by piece.
    package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let stride: Int
    private let writer: SampleWriter
    private let isInterleaved: Bool

    /// - Parameter frames: of one call, at most.
    package init(_ format: any SampleFormat, frames: Int) {
        let form = format.sampleForm
        (channels, stride, isInterleaved) = (form.channels, frames, form.isInterleaved)
        samples = SampleMemory(count: max(channels, 1) * frames)
        pointers = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (pointers + channel).initialize(to: samples.pointer + channel * frames) }
        writer = SampleWriter(format)
    }

    deinit { pointers.deallocate() }

    package func point(to offset: Int) {
        for channel in 0..<channels { pointers[channel] = samples.pointer + channel * stride + offset }
    }

    /// Writes the first `frames` frames to a list of the form.
    package func write(to list: some SampleBufferList, frames: Int) {
        for channel in 0..<channels {
            guard let data = list.samples(ofBuffer: isInterleaved ? 0 : channel) else { continue }
            writer.write(samples.pointer + channel * stride, channel: channel, to: data, frames: frames)
        }
    }
}

/// The output of a unit that renders by itself: cuts a cycle where parameters change, and writes its sound into the
/// host's buffers. Render side, except for `init`.
package final class UnitOutput: @unchecked Sendable {
    private let planes: PlaneWriter
    private let ramps: ParameterRamps

    package init(_ format: any SampleFormat, frames: Int, _ ramps: ParameterRamps) {
        planes = PlaneWriter(format, frames: frames)
        self.ramps = ramps
    }

    /// - Parameters:
    ///   - start: time of the cycle's first frame; `nil` for that of its first event.
    ///   - render: renders `count` frames into the planes, from `offset` on.
    package func render(
        _ frames: Int, from start: Int64?, _ events: ParameterEvents, into list: some SampleBufferList,
        by render: (_ count: Int, _ offset: Int, _ planes: UnsafePointer<UnsafeMutablePointer<Float>>) -> Void
    ) {
        planes.point(to: 0)
        ramps.cut(events, from: start ?? events.first?.frame ?? 0, frames: frames) { offset, count in
            render(count, offset, UnsafePointer(planes.pointers))
        }
        planes.write(to: list, frames: frames)
    }

    /// Renders a plan of the unit's own.
    package func render(
        _ frames: Int, from start: Int64?, _ events: ParameterEvents, into list: some SampleBufferList,
        with executor: Executor
    ) {
        render(frames, from: start, events, into: list) { count, offset, _ in
            planes.point(to: offset)
            executor.render(count, into: planes.pointers, channels: planes.channels)
        }
    }
}
