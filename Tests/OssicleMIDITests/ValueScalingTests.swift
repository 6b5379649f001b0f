import Testing
@testable import OssicleMIDI

@Suite("Value scaling") struct ValueScalingTests {
    @Test("Zero, center and the largest value keep their meaning, and scaling down gives the value back")
    func anchors() {
        for (bits, wide) in [(7, 16), (7, 32), (14, 32), (16, 32), (7, 14), (1, 32), (2, 7)] {
            let largest = UInt32(1) << UInt32(bits) - 1
            let wideLargest = wide == 32 ? UInt32.max : UInt32(1) << UInt32(wide) - 1
            #expect(ValueScaling.up(0, from: bits, to: wide) == 0)
            if bits > 1 {
                #expect(ValueScaling.up(largest, from: bits, to: wide) == wideLargest)
                #expect(ValueScaling.up(1 << UInt32(bits - 1), from: bits, to: wide) == UInt32(1) << UInt32(wide - 1))
            }
            var before: UInt32?
            for value in 0...largest {
                let scaled = ValueScaling.up(value, from: bits, to: wide)
                #expect(scaled >> UInt32(wide - bits) == value)
                if let before { #expect(scaled > before) }
                before = scaled
            }
        }
    }

    @Test(
        "Above the center the lower bits repeat", arguments: [(1, 0x0200), (64, 0x8000), (65, 0x8208), (127, 0xFFFF)])
    func repeated(_ value: UInt32, _ expected: UInt32) {
        #expect(ValueScaling.up(value, from: 7, to: 16) == expected)
    }

    @Test("A value of more bits than stated is cut")
    func cut() { #expect(ValueScaling.up(0xFF, from: 7, to: 16) == 0xFFFF) }
}
