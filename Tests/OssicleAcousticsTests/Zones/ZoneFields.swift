@testable import OssicleAcoustics
import OssicleCore

/// Late fields the tests of zones blend: rooms from a chamber to a cathedral.
enum ZoneFields {
    static func field(t60: Float, energy: Float, mixingTime: Double, meanFreeTime: Double) -> LateField {
        LateField(
            t60: OctaveBands((0..<10).map { t60 * (1 - 0.06 * Float($0)) }),
            energy: OctaveBands(repeating: Float(Decibels.energy(Double(energy)))), mixingTime: mixingTime,
            meanFreeTime: meanFreeTime)
    }

    static let small = field(t60: 0.4, energy: 1, mixingTime: 0.023, meanFreeTime: 0.0062)
    static let chamber = field(t60: 1.35, energy: 5.9, mixingTime: 0.026, meanFreeTime: 0.0083)
    static let hall = field(t60: 1.8, energy: -11.1, mixingTime: 0.056, meanFreeTime: 0.0257)
    static let cathedral = field(t60: 6.5, energy: -16.9, mixingTime: 0.129, meanFreeTime: 0.0679)
    static let all = [small, chamber, hall, cathedral]

    /// A zone that fills x < 0 up to 50 m.
    static func left(_ field: LateField?, priority: Int = 0, id: UInt64 = 1, border: Double = 1) -> ReverbZone {
        let body = ZoneBody(.box(Vector(25, 25, 25)), at: Pose(position: Vector(-25, 0, 0)))
        return ReverbZone(id: id, bodies: [body], borderWidth: border, priority: priority, field: field)
    }

    /// A zone that fills x > 0.
    static func right(_ field: LateField?, priority: Int = 0, id: UInt64 = 2) -> ReverbZone {
        ReverbZone(
            id: id, bodies: [ZoneBody(.box(Vector(25, 25, 25)), at: Pose(position: Vector(25, 0, 0)))],
            priority: priority, field: field)
    }
}
