/// Floating point of 32 bits. What it holds passes through Double as it is, infinities and NaN too; a double beyond its range becomes
/// infinite.
struct Float32Code<Order: ByteOrder>: SampleCode {
    static var byteCount: Int { 4 }

    func decode(_ source: UnsafeRawPointer) -> Double { Double(Float(bitPattern: Word<UInt32, Order>.load(source))) }

    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer) { Word<UInt32, Order>.store(Float(sample).bitPattern, target) }
}

/// Floating point of 64 bits.
struct Float64Code<Order: ByteOrder>: SampleCode {
    static var byteCount: Int { 8 }

    func decode(_ source: UnsafeRawPointer) -> Double {
        let bits = source.loadUnaligned(as: UInt64.self)
        return Double(bitPattern: Order.isBigEndian ? UInt64(bigEndian: bits) : UInt64(littleEndian: bits))
    }

    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer) {
        let bits = sample.bitPattern
        target.storeBytes(of: Order.isBigEndian ? bits.bigEndian : bits.littleEndian, as: UInt64.self)
    }
}
