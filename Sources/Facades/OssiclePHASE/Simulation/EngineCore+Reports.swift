/// What one may see of the inside.
extension EngineCore {
    var directPathReports: [PHASEDirectPathReport] { paths.reports }

    func takeMeters() -> PHASEMeters {
        locked {
            guard let reading = output?.takeMeters() else {
                return PHASEMeters(frames: 0, directPower: 0, reverbPower: 0, peak: 0, limitedFrames: 0, nonFiniteFrames: 0)
            }
            let samples = Double(max(reading.frames, 1)) * Double(max(output?.channelCount ?? 1, 1))
            return PHASEMeters(frames: reading.frames, directPower: reading.directEnergy / samples,
                               reverbPower: reading.reverbEnergy / samples, peak: Double(reading.peak),
                               limitedFrames: reading.limitedFrames, nonFiniteFrames: reading.nonFiniteFrames)
        }
    }
}
