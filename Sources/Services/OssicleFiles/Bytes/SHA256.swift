import COssicle

/// The SHA-256 digest (FIPS 180-4), so that two renderings can be compared by one line of text.
package struct SHA256 {
    private static let roundConstants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]

    /// For tests: the same without the processor's own instructions.
    private let isPlain: Bool
    private var state = SIMD8<UInt32>(
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19)

    /// What came since the last whole block, fewer than 64 bytes.
    private var pending: [UInt8] = []
    private var count = 0

    package init(isPlain: Bool = false) { self.isPlain = isPlain }

    /// The digest of `bytes` in lower-case hexadecimal, 64 digits.
    package static func hex(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        bytes.withUnsafeBufferPointer { hash.update($0) }
        return hash.finish()
    }

    /// The next bytes of a message that comes in pieces.
    package mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        count += bytes.count
        var start = 0
        if !pending.isEmpty {
            start = min(64 - pending.count, bytes.count)
            pending += bytes[..<start]
            guard pending.count == 64 else { return }
            let block = pending
            block.withUnsafeBufferPointer { absorb($0[...]) }
            pending.removeAll(keepingCapacity: true)
        }
        let end = start + (bytes.count - start) / 64 * 64
        absorb(bytes[start..<end])
        pending += bytes[end...]
    }

    /// The digest of all that came, in lower-case hexadecimal.
    package consuming func finish() -> String {
        let end = SHA256.padded(pending[...], count: count)
        end.withUnsafeBufferPointer { absorb($0[...]) }
        return (0..<8).map { index in
            let digits = String(state[index], radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The end of a message of `count` bytes, a one bit, zeros up to 8 bytes short of a block, and the length in bits.
    private static func padded(_ end: ArraySlice<UInt8>, count: Int) -> [UInt8] {
        let zeros = (119 - count % 64) % 64
        let bits = UInt64(count) * 8
        return Array(end) + [0x80] + [UInt8](repeating: 0, count: zeros)
            + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    private mutating func absorb(_ blocks: Slice<UnsafeBufferPointer<UInt8>>) {
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: blocks))
        SHA256.roundConstants.withUnsafeBufferPointer { constants in
            if absorbByInstructions(bytes, constants) { return }
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                for start in stride(from: 0, to: bytes.count, by: 64) {
                    for i in 0..<16 {
                        schedule[i] = bytes.loadUnaligned(fromByteOffset: start + 4 * i, as: UInt32.self).bigEndian
                    }
                    absorb(schedule, constants)
                }
            }
        }
    }

    /// False where the processor has none.
    private mutating func absorbByInstructions(
        _ blocks: UnsafeRawBufferPointer, _ constants: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        guard !isPlain, let base = blocks.baseAddress, let constants = constants.baseAddress else { return false }
        return withUnsafeMutableBytes(of: &state) { state in
            guard let words = state.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return false }
            let bytes = base.assumingMemoryBound(to: UInt8.self)
            return ossicle_sha256_absorb(constants, words, bytes, blocks.count / 64) != 0
        }
    }

    private mutating func absorb(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        for i in 16..<64 {
            let (a, b) = (schedule[i - 15], schedule[i - 2])
            let s0 = rotated(a, 7) ^ rotated(a, 18) ^ (a &>> 3)
            let s1 = rotated(b, 17) ^ rotated(b, 19) ^ (b &>> 10)
            schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        @inline(__always)
        func round(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
            _ h: inout UInt32, _ i: Int
        ) {
            let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let t1 = h &+ s1 &+ (g ^ (e & (f ^ g))) &+ constants[i] &+ schedule[i]
            let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            d &+= t1
            h = t1 &+ s0 &+ ((a & b) | (c & (a | b)))
        }
        // After eight rounds each variable has its own place again, so that none is moved.
        for i in stride(from: 0, to: 64, by: 8) {
            round(a, b, c, &d, e, f, g, &h, i)
            round(h, a, b, &c, d, e, f, &g, i + 1)
            round(g, h, a, &b, c, d, e, &f, i + 2)
            round(f, g, h, &a, b, c, d, &e, i + 3)
            round(e, f, g, &h, a, b, c, &d, i + 4)
            round(d, e, f, &g, h, a, b, &c, i + 5)
            round(c, d, e, &f, g, h, a, &b, i + 6)
            round(b, c, d, &e, f, g, h, &a, i + 7)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private func rotated(_ x: UInt32, _ n: UInt32) -> UInt32 { x &>> n | x &<< (32 &- n) }
}
