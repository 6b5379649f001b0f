/// What all leaves of a sound event have in common: how loud and how fast they play, and into which mixer.
package struct Generator: Hashable, Sendable {
    /// Speed factors a generator can play at; the pitch moves along.
    package static let rates = 0.25...4.0

    /// Index into the tree's mixers.
    package let mixer: Int
    package let calibration: Calibration
    package let rate: Double
    /// Identifier of the group whose gain and rate this generator follows.
    package let group: String?
    package let gainParameter: Int?
    package let rateParameter: Int?
    /// Who is heard where not all can be: the higher.
    package let priority: Int

    package init(mixer: Int, calibration: Calibration = Calibration(), rate: Double = 1, group: String? = nil,
                 gainParameter: Int? = nil, rateParameter: Int? = nil, priority: Int = 0) {
        (self.mixer, self.calibration, self.rate) = (mixer, calibration, rate)
        (self.group, self.gainParameter, self.rateParameter) = (group, gainParameter, rateParameter)
        self.priority = priority
    }

    /// Linear gain now: calibration times meta-parameter, not below 0. The tree's and the group's gains come on top.
    package func gain(_ parameters: ParameterValues, referenceLevel: Double = Calibration.referenceLevel) -> Double {
        max(calibration.gain(referenceLevel: referenceLevel) * (gainParameter.flatMap(parameters.number) ?? 1), 0)
    }

    /// Speed now: the definition's times the meta-parameter's, 0.25…4. The group's rate comes on top.
    package func rate(_ parameters: ParameterValues) -> Double {
        let product = rate * (rateParameter.flatMap(parameters.number) ?? 1)
        return min(max(product, Generator.rates.lowerBound), Generator.rates.upperBound)
    }
}
