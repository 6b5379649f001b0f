// The unit behind `AVAudioPlayerNode`.

extension UnitDescription {
    /// Plays stretches of memory at their times.
    static let scheduledSoundPlayer = UnitDescription(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer, "Scheduled Sound Player",
                                                      channels: .onlyOut, [])
}
