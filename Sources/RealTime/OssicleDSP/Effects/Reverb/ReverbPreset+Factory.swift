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
