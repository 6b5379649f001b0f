import OssicleCore

/// The reverb presets by the names PHASE and AVAudioUnitReverb share (plate: the latter only).
///
/// The vendor publishes no numbers; these are a design of our own, sizes and times typical of each class of room, with
/// air absorption at 20 °C and 50 % humidity included in the decay times. The mixing time is 20 V/S + 12 ms (Lindau,
/// Kosanke and Weinzierl, JAES 60, 2012).
package enum ReverbPreset: String, CaseIterable, Sendable {
    case smallRoom, mediumRoom, largeRoom, largeRoom2, mediumChamber, largeChamber
    case mediumHall, mediumHall2, mediumHall3, largeHall, largeHall2, cathedral, plate

    /// What a preset stands for. Metres, seconds, dB.
    package struct Room: Sendable {
        package let length, width, height, volume: Double
        /// 31.5 Hz … 16 kHz, from the tabulated 63 Hz … 8 kHz with the end values held outwards.
        package let t60: OctaveBands
        package let meanFreeTime: Double
        package let mixingTime: Double
        /// Energy after the mixing time re the direct sound at 1 m, diffuse-field theory.
        package let lateLevel: Double
        /// Where direct and reverberant energy are equal, in metres.
        package let criticalDistance: Double

        fileprivate init(
            _ length: Double, _ width: Double, _ height: Double, _ volume: Double, _ t60: [Float],
            meanFree: Double, mixing: Double, late: Double, critical: Double
        ) {
            (self.length, self.width, self.height, self.volume) = (length, width, height, volume)
            self.t60 = OctaveBands([t60.first ?? 1] + t60)
            (meanFreeTime, mixingTime, lateLevel, criticalDistance) = (meanFree / 1000, mixing / 1000, late, critical)
        }
    }

    package var room: Room {
        switch self {
        case .smallRoom:
            Room(
                4, 3.5, 2.5, 35, [0.40, 0.38, 0.37, 0.35, 0.35, 0.33, 0.29, 0.24], meanFree: 6.2, mixing: 23, late: 1.0,
                critical: 0.57)
        case .mediumRoom:
            Room(
                6.5, 5.5, 3.1, 111, [0.63, 0.60, 0.58, 0.55, 0.54, 0.51, 0.45, 0.35], meanFree: 8.9, mixing: 27,
                late: -1.1, critical: 0.81)
        case .largeRoom:
            Room(
                10, 8, 3.75, 300, [0.98, 0.93, 0.89, 0.84, 0.83, 0.77, 0.66, 0.48], meanFree: 11.9, mixing: 32,
                late: -2.9, critical: 1.08)
        case .largeRoom2:
            Room(
                12, 9.6, 4.5, 518, [1.26, 1.21, 1.15, 1.08, 1.07, 0.99, 0.83, 0.58], meanFree: 14.2, mixing: 36,
                late: -3.9, critical: 1.25)
        case .mediumChamber:
            Room(
                5, 4.4, 3.6, 79, [1.17, 1.30, 1.35, 1.34, 1.26, 1.21, 1.02, 0.69], meanFree: 8.3, mixing: 26, late: 5.9,
                critical: 0.45)
        case .largeChamber:
            Room(
                8, 6.5, 5, 260, [1.89, 2.09, 2.17, 2.13, 1.99, 1.88, 1.49, 0.88], meanFree: 12.2, mixing: 33, late: 3.0,
                critical: 0.64)
        case .mediumHall:
            Room(
                28, 16, 7.8, 3494, [1.87, 1.79, 1.63, 1.51, 1.44, 1.38, 1.20, 0.79], meanFree: 25.7, mixing: 56,
                late: -11.1, critical: 2.77)
        case .mediumHall2:
            Room(
                31, 18, 9.3, 5189, [2.12, 2.03, 1.84, 1.70, 1.63, 1.55, 1.32, 0.84], meanFree: 29.8, mixing: 63,
                late: -12.3, critical: 3.18)
        case .mediumHall3:
            Room(
                34, 20, 10.3, 7004, [2.37, 2.27, 2.06, 1.90, 1.81, 1.72, 1.44, 0.89], meanFree: 33.0, mixing: 69,
                late: -13.1, critical: 3.50)
        case .largeHall:
            Room(
                40, 22, 14.8, 13024, [2.74, 2.62, 2.38, 2.19, 2.08, 1.96, 1.60, 0.95], meanFree: 42.2, mixing: 84,
                late: -15.3, critical: 4.45)
        case .largeHall2:
            Room(
                46, 24, 16.8, 18547, [3.24, 3.10, 2.80, 2.57, 2.43, 2.27, 1.80, 1.01], meanFree: 47.4, mixing: 93,
                late: -16.0, critical: 4.91)
        case .cathedral:
            Room(
                80, 30, 25, 60000, [6.57, 6.49, 6.18, 5.64, 5.17, 4.48, 2.97, 1.30], meanFree: 67.9, mixing: 129,
                late: -16.9, critical: 6.01)
        // A plate has no room around it: no volume, no early part; its level is set by ear to that of a medium room.
        case .plate:
            Room(
                0, 0, 0, 0, [4.00, 3.50, 2.80, 2.30, 2.00, 1.70, 1.30, 1.00], meanFree: 18, mixing: 0, late: 0,
                critical: 0)
        }
    }

    /// - Parameter latency: frames, see `FeedbackDelayNetwork.Settings`.
    package func settings(
        sampleRate: Double, latency: Int = 0, seed: UInt64 = 0
    ) -> FeedbackDelayNetwork.Settings {
        FeedbackDelayNetwork.Settings(
            sampleRate: sampleRate, meanFreeTime: room.meanFreeTime, latency: latency, seed: seed)
    }

    package func parameters() -> FeedbackDelayNetwork.Parameters {
        FeedbackDelayNetwork.Parameters(t60: room.t60, lateLevel: room.lateLevel, start: room.mixingTime)
    }
}

extension ReverbPreset {
    /// The thirteen factory presets of the reverb effect, in the order of their numbers.
    package static let factory: [ReverbPreset] = [
        .smallRoom, .mediumRoom, .largeRoom, .mediumHall, .largeHall, .plate, .mediumChamber, .largeChamber, .cathedral,
        .largeRoom2, .mediumHall2, .mediumHall3, .largeHall2,
    ]

    /// By its number, 0 … 12; any other is a medium hall, the default. Control side.
    package init(factoryNumber: Int) {
        self = Self.factory.indices.contains(factoryNumber) ? Self.factory[factoryNumber] : .mediumHall
    }

    package var factoryNumber: Int { Self.factory.firstIndex(of: self) ?? 3 }
}
