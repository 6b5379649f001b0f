import OssicleAcoustics

extension PHASEMedium {
    /// Air of your own (an addition of Ossicle). Sound travels in it at 343.2 √((273.15 + temperature)/293.15) m/s, and what it takes from the
    /// direct sound follows ISO 9613-1 in the ten octave bands.
    ///
    /// Values out of range are moved to the nearest end, and recorded as the engine's error.
    /// - Parameters:
    ///   - temperature: °C, −80…80. - humidity: relative, in %, 0…100. - pressure: kPa, 10…200.
    ///   - absorbs: whether the direct sound loses anything on its way; at 20 °C and 50 % that is 0.5 dB at 1 kHz and 10.5 dB at 8 kHz in 100 m.
    ///   - delays: whether sound takes its time. Without it, direct sound is heard as it leaves, at any distance and without a Doppler shift, and
    ///     reflections as much later as their way is longer.
    public convenience init(engine: PHASEEngine, temperature: Double, humidity: Double = 50, pressure: Double = 101.325, absorbs: Bool = true,
                            delays: Bool = true) {
        let medium = Medium(temperature: temperature, humidity: humidity, pressure: pressure)
        for (name, given, taken, range) in [("temperature", temperature, medium.temperature, "−80…80 °C"), ("humidity", humidity, medium.humidity, "0…100 %"),
                                            ("pressure", pressure, medium.pressure, "10…200 kPa")] where given != taken {
            engine.record(PHASEError(.invalidObject, "The \(name) \(given) of a medium is outside \(range); \(taken) was taken instead. Pass a value in range."))
        }
        self.init(medium, absorbs: absorbs, delays: delays)
    }
}

extension PHASEMedium: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEMedium {
    /// °C (an addition of Ossicle).
    public var temperature: Double { medium.temperature }
    /// Relative, in % (an addition of Ossicle).
    public var humidity: Double { medium.humidity }
    /// kPa (an addition of Ossicle).
    public var pressure: Double { medium.pressure }
    /// m/s (an addition of Ossicle).
    public var speedOfSound: Double { medium.speedOfSound }
    /// Whether the direct sound loses anything on its way (an addition of Ossicle). False for the preset `.air`.
    public var absorbs: Bool { isAbsorbing }
    /// Whether sound takes its time (an addition of Ossicle). True for the preset `.air`.
    public var delays: Bool { isDelaying }
}
