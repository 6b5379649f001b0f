import OssicleCore
import OssicleDSP

/// A sound field that is turned: channels of a stream in, channels in ACN order and SN3D weights out.
///
///     stream ──▶ R(t) ──▶ field as the head has it         R exact at the ends of a quantum, straight lines between
struct RotatingField: ~Copyable {
    let count: Int
    /// Input of each channel of the field, −1 where there is none.
    private let inputs: OwnedMemory<Int>
    /// From the stream's weights to SN3D.
    private let scales: SampleMemory
    private let rotation: FieldRotation
    /// Where the segment began, then where it ends; `count` × `count` each.
    private let matrices: SampleMemory
    private var glide = Ramp(Rotation.identity)
    private var isPlaced = false
    /// Length of the present segment, and how much of it is over; at rest both are 0.
    private var segment = 0
    private var passed = 0

    init(_ format: SoundFieldFormat) {
        count = format.count
        rotation = FieldRotation(order: format.order)
        matrices = SampleMemory(count: 2 * format.count * format.count)
        inputs = OwnedMemory(count: count, -1)
        scales = SampleMemory(count: count)
        for (input, channel) in format.channels.enumerated() {
            guard let channel else { continue }
            inputs.pointer[channel.index] = input
            scales[channel.index] = Float(channel.gain)
        }
    }

    /// The bed's axes as the head sees them. The first are taken at once; later ones are turned to over `frames`.
    mutating func turn(right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>, frames: Int) {
        let orientation = Rotation(right: Vector(right), up: Vector(up), back: Vector(back))
        if !isPlaced {
            isPlaced = true
            glide = Ramp(orientation)
            aim(orientation)
        } else if !orientation.isSame(as: glide.target) {
            // It begins where the running segment ends.
            glide.glide(to: orientation, frames: frames - (segment - passed))
        }
    }

    private mutating func aim(_ orientation: Rotation) {
        let target = matrices.pointer + count * count
        matrices.pointer.update(from: target, count: count * count)
        let axes = orientation.axes
        rotation.write(right: axes.right, up: axes.up, back: axes.back, to: target)
        for row in 0..<count { for column in 0..<count { target[row * count + column] *= scales[column] } }
    }

    /// Overwrites the `count` channels of the field with `frames` frames.
    mutating func process(
        _ stream: UnsafePointer<UnsafeMutablePointer<Float>>, to field: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frames: Int
    ) {
        var done = 0
        while done < frames {
            if passed == segment {
                (segment, passed) = (0, 0)
                if !glide.isIdle {
                    let next = glide.nextSegment()
                    aim(next.value)
                    segment = next.frames
                }
            }
            let run = segment == 0 ? frames - done : min(frames - done, segment - passed)
            for row in 0..<count { mix(stream, row, to: field[row] + done, offset: done, run) }
            if segment > 0 { passed += run }
            done += run
        }
    }

    /// One channel of the field: those of its order, each with its gain.
    private func mix(
        _ stream: UnsafePointer<UnsafeMutablePointer<Float>>, _ row: Int, to output: UnsafeMutablePointer<Float>,
        offset: Int, _ frames: Int
    ) {
        Mixing.clear(output, frames)
        let order = SphericalHarmonics.order(of: row)
        for column in SphericalHarmonics.count(order: order - 1)..<SphericalHarmonics.count(order: order)
        where inputs.pointer[column] >= 0 {
            let index = row * count + column
            let (start, end) = (matrices[index], matrices[count * count + index])
            let input = stream[inputs.pointer[column]] + offset
            if segment == 0 {
                if end == 0 { continue }
                for i in 0..<frames { output[i] += input[i] * end }
            } else {
                let step = (end - start) * (1 / Float(Int32(truncatingIfNeeded: segment)))
                for i in 0..<frames {
                    output[i] += input[i] * (start + step * Float(Int32(truncatingIfNeeded: passed + i)))
                }
            }
        }
    }
}
