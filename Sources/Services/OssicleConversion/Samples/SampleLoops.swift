/// The loops over the samples of one form.
///
/// Made where the form's type is known, so that each form has compiled loops of its own: through an existential the compiler would look
/// the code up for every sample, which is a hundred times slower.
struct SampleLoops {
    /// Reads `count` samples that lie `stride` bytes apart.
    let unpack: (_ source: UnsafeRawPointer, _ stride: Int, _ plane: UnsafeMutablePointer<Double>, _ count: Int) -> Void
    /// Writes `count` samples `stride` bytes apart.
    let pack: (_ plane: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ stride: Int, _ count: Int) -> Void

    // Samples side by side have loops of their own: a stride the compiler knows lets it take several at once.
    @inline(__always)
    init<Code: SampleCode>(_ code: Code) {
        unpack = { source, stride, plane, count in
            if stride == Code.byteCount {
                for index in 0..<count { plane[index] = code.decode(source + index &* Code.byteCount) }
            } else {
                for index in 0..<count { plane[index] = code.decode(source + index &* stride) }
            }
        }
        pack = { plane, target, stride, count in
            if stride == Code.byteCount {
                for index in 0..<count { code.encode(plane[index], target + index &* Code.byteCount) }
            } else {
                for index in 0..<count { code.encode(plane[index], target + index &* stride) }
            }
        }
    }
}
