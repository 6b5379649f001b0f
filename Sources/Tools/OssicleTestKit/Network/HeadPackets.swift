/// What head trackers send, byte by byte as their formats say.
public enum HeadPackets {
    /// An OSC 1.0 message of 32-bit floats: address, type tags and arguments, each filled up to a multiple of four bytes, big-endian.
    public static func osc(_ address: String, _ numbers: [Double]) -> [UInt8] {
        text(address) + text("," + String(repeating: "f", count: numbers.count)) + numbers.flatMap { bytes(Float($0).bitPattern.bigEndian) }
    }

    /// An OSC 1.0 bundle, to be carried out at once.
    public static func bundle(_ elements: [[UInt8]]) -> [UInt8] {
        text("#bundle") + bytes(UInt64(1).bigEndian) + elements.flatMap { bytes(UInt32($0.count).bigEndian) + $0 }
    }

    /// opentrack's six doubles, little-endian: centimetres and degrees.
    public static func opentrack(x: Double = 0, y: Double = 0, z: Double = 0, yaw: Double = 0, pitch: Double = 0, roll: Double = 0) -> [UInt8] {
        [x, y, z, yaw, pitch, roll].flatMap { bytes($0.bitPattern.littleEndian) }
    }

    private static func text(_ string: String) -> [UInt8] {
        let bytes = Array(string.utf8)
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number, Array.init) }
}
