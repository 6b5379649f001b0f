// The unit behind `AVAudioPlayerNode`.

extension UnitDescription {
    /// Plays stretches of memory at their times.
    package static let scheduledSoundPlayer = UnitDescription(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer, "AUScheduledSoundPlayer",
                                                      channels: .onlyOut, [])
}
