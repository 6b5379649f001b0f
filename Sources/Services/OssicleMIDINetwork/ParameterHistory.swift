/// Registered and non-registered parameters of a channel: which one is chosen, and what was entered.
struct ParameterHistory: Hashable, Sendable {
    struct Number: Hashable, Sendable {
        var isRegistered: Bool
        var msb: UInt8
        var lsb: UInt8
    }

    struct Parameter: Hashable, Sendable {
        let number: Number
        /// Data entry; `nil` where there was none.
        var msb: UInt8?
        var lsb: UInt8?
        /// Increments less decrements since the last entry.
        var steps = 0
        var packet: Int64 = 0
    }

    /// More are forgotten, the ones first that were not used for longest.
    private static let most = 128
    /// Controllers that choose parameters and change them, which chapter C leaves to chapter M.
    static func controls(_ controller: Int) -> Bool {
        controller == 6 || controller == 38 || (96...101).contains(controller)
    }

    /// In the order of their last use: a chosen one is the last.
    private(set) var list: [Parameter] = []
    /// The two halves of the number that is chosen, as far as they came.
    private(set) var isRegistered = true
    private(set) var msb: UInt8?
    private var lsb: UInt8?
    /// When a number was chosen last.
    private(set) var packet: Int64 = 0

    /// What data entry goes to; `nil` for nothing.
    var chosen: Number? {
        guard let msb, let lsb, !(msb == 127 && lsb == 127) else { return nil }
        return Number(isRegistered: isRegistered, msb: msb, lsb: lsb)
    }

    /// The first half of a number whose second half has not come.
    var pending: UInt8? { lsb == nil ? msb : nil }

    func find(_ number: Number) -> Parameter? { list.last { $0.number == number } }

    /// Of a controller for which `controls` is true, or of 121, which chooses nothing (MIDI RP-015).
    mutating func note(_ controller: Int, _ value: UInt8, packet: Int64) {
        switch controller {
        case 98, 100: choose(isRegistered: controller == 100, lsb: value, packet)
        case 99, 101: choose(isRegistered: controller == 101, msb: value, packet)
        case 121: (isRegistered, msb, lsb, self.packet) = (true, 127, 127, packet)
        case 6: edit(packet) { ($0.msb, $0.lsb, $0.steps) = (value, nil, 0) }
        case 38: edit(packet) { $0.lsb = value }
        case 96: edit(packet) { $0.steps += 1 }
        case 97: edit(packet) { $0.steps -= 1 }
        default: break
        }
    }

    private mutating func choose(isRegistered: Bool, msb: UInt8? = nil, lsb: UInt8? = nil, _ packet: Int64) {
        if isRegistered != self.isRegistered { (self.msb, self.lsb) = (nil, nil) }
        self.isRegistered = isRegistered
        self.packet = packet
        if let msb { (self.msb, self.lsb) = (msb, nil) }
        if let lsb { self.lsb = lsb }
        guard let chosen else { return }
        var parameter = find(chosen) ?? Parameter(number: chosen)
        parameter.packet = packet
        list.removeAll { $0.number == chosen }
        list.append(parameter)
        if list.count > Self.most { list.removeFirst() }
    }

    private mutating func edit(_ packet: Int64, _ body: (inout Parameter) -> Void) {
        guard let chosen, let last = list.indices.last, list[last].number == chosen else { return }
        body(&list[last])
        list[last].packet = packet
    }
}
