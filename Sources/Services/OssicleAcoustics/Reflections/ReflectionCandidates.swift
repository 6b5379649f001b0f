import OssicleCore

/// Sequences of surfaces that may carry a reflection, to be kept from update to update.
///
/// They name surfaces, not places: while source, listener and occluders move, each is tried again for the price of a few dot products, and the rays
/// that found it need not be cast.
package struct ReflectionCandidates: Sendable, Hashable {
    /// Identities of faces, the source's side first, 0 behind the last.
    private(set) var sequences: [SIMD4<UInt64>]
    private var known: Set<SIMD4<UInt64>>

    /// What is kept; beyond it the oldest go first.
    package static let most = 16_384

    package init() { (sequences, known) = ([], []) }

    package var count: Int { sequences.count }

    mutating func insert(_ sequence: SIMD4<UInt64>) {
        if known.insert(sequence).inserted { sequences.append(sequence) }
    }

    /// Adds those of an earlier update that are not here, as far as there is room.
    mutating func keep(_ earlier: ReflectionCandidates) {
        for sequence in earlier.sequences where sequences.count < ReflectionCandidates.most { insert(sequence) }
    }

    /// The images of a source in all sequences whose surfaces are still there, each once.
    func images(of source: Vector, order: Int, in set: ReflectorSet) -> [MirroredSource] {
        var tried: Set<SIMD4<Int32>> = []
        return set.reflectors.withUnsafeBufferPointer { planes in
            sequences.compactMap { sequence in
                var image: MirroredSource? = MirroredSource(source)
                for place in 0..<MirroredSource.highestOrder where sequence[place] != 0 {
                    guard place < order, let reflector = set.reflector(of: sequence[place]) else { return nil }
                    image = image?.mirrored(in: reflector, of: planes)
                }
                guard let image, tried.insert(image.reflectors).inserted else { return nil }
                return image
            }
        }
    }
}
