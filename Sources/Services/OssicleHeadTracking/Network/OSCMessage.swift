/// A message of Open Sound Control 1.0: an address, a string of types that begins with a comma, and arguments, all of
/// them filled up with zeros to whole groups of four bytes. Numbers are big-endian.
struct OSCMessage {
    let address: String
    /// The types without the comma, and where each argument begins.
    private let arguments: [(type: UInt8, offset: Int)]
    private let packet: UnsafeRawBufferPointer

    /// Nil unless the packet is one whole message and nothing else. It is read as long as the message is used.
    init?(_ packet: UnsafeRawBufferPointer) {
        guard packet.count % 4 == 0, packet.first == UInt8(ascii: "/"), let name = Self.text(packet, at: 0),
            let types = Self.text(packet, at: name.end), packet[name.end] == UInt8(ascii: ",")
        else { return nil }
        var offset = types.end
        var arguments: [(type: UInt8, offset: Int)] = []
        for place in name.end + 1..<types.zero {
            guard let size = Self.size(of: packet[place], packet, at: offset), size <= packet.count - offset else {
                return nil
            }
            arguments.append((packet[place], offset))
            offset += size
        }
        guard offset == packet.count else { return nil }
        address = String(decoding: packet[..<name.zero], as: UTF8.self)
        self.arguments = arguments
        self.packet = packet
    }

    /// An argument as a number; nil if there is none at that place, or none that is a number.
    func number(_ index: Int) -> Double? {
        guard arguments.indices.contains(index) else { return nil }
        let (type, offset) = arguments[index]
        switch type {
        case UInt8(ascii: "f"): return Double(Float(bitPattern: load(offset)))
        case UInt8(ascii: "d"): return Double(bitPattern: load(offset))
        case UInt8(ascii: "i"): return Double(Int32(bitPattern: load(offset)))
        case UInt8(ascii: "h"): return Double(Int64(bitPattern: load(offset)))
        default: return nil
        }
    }

    private func load<Number: FixedWidthInteger>(_ offset: Int) -> Number {
        Number(bigEndian: packet.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Where the zero behind a text is, and where the groups of four end that it fills; nil where there is none, or
    /// where something else than zeros fills the last.
    private static func text(_ packet: UnsafeRawBufferPointer, at start: Int) -> (zero: Int, end: Int)? {
        guard start < packet.count, let zero = packet[start...].firstIndex(of: 0) else { return nil }
        let end = (zero / 4 + 1) * 4
        guard end <= packet.count, packet[zero..<end].allSatisfy({ $0 == 0 }) else { return nil }
        return (zero, end)
    }

    /// Bytes of an argument; nil for types that OSC does not have.
    private static func size(of type: UInt8, _ packet: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        switch type {
        case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "m"): 4
        case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"): 8
        case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"): 0
        case UInt8(ascii: "s"), UInt8(ascii: "S"): text(packet, at: offset).map { $0.end - offset }
        case UInt8(ascii: "b"):
            packet.count - offset < 4
                ? nil
                : 4 + (Int(UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: offset, as: UInt32.self))) + 3) / 4
                    * 4
        default: nil
        }
    }
}
