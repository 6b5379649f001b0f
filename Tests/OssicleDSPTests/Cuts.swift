import OssicleTestSupport

/// Runs a kernel over a signal in blocks of the given sizes, again and again, until the signal is used up.
func render(
    _ input: [Float], blocks: [Int] = [128], _ kernel: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
) -> [Float] {
    var output = [Float](repeating: 0, count: input.count)
    var (done, turn) = (0, 0)
    input.withUnsafeBufferPointer { from in
        output.withUnsafeMutableBufferPointer { to in
            guard let source = from.baseAddress, let target = to.baseAddress else { return }
            while done < input.count {
                let n = min(blocks[turn % blocks.count], input.count - done)
                kernel(source + done, target + done, n)
                done += n
                turn += 1
            }
        }
    }
    return output
}

/// Block lengths that together cover odd, tiny and large cuts.
let awkwardCuts = [1, 63, 64, 127, 5, 1024, 3, 17]

/// Memory for plain pointers, freed with its owner.
final class TestMemory<Element: BitwiseCopyable> {
    let pointer: UnsafeMutablePointer<Element>

    init(count: Int, _ initial: Element) {
        pointer = .allocate(capacity: count)
        pointer.initialize(repeating: initial, count: count)
    }

    /// With `values` in its first elements.
    convenience init(count: Int, _ initial: Element, _ values: [Element]) {
        self.init(count: count, initial)
        _ = UnsafeMutableBufferPointer(start: pointer, count: count).update(fromContentsOf: values)
    }

    deinit { pointer.deallocate() }

    /// The same memory as numbers.
    var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self) }
}
