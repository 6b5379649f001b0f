import OssicleSoundEvents

/// The shape of a transition from one value to the next. The raw values are Apple's four-character codes.
///
/// With t the share of the way in x, each gives the share of the way in y; all start at 0 and end at 1.
public enum PHASECurveType: Int, Sendable {
    /// t
    case linear = 0x63724c6e
    /// t²
    case squared = 0x63725371
    /// 1 − (1 − t)²
    case inverseSquared = 0x63724951
    /// t³
    case cubed = 0x63724375
    /// 1 − (1 − t)³
    case inverseCubed = 0x63724943
    /// sin(t·π/2)
    case sine = 0x6372536e
    /// asin(t)·2/π
    case inverseSine = 0x63724953
    /// t²·(3 − 2t): slow, fast, slow
    case sigmoid = 0x63725367
    /// The inverse function of `sigmoid`: fast, slow, fast
    case inverseSigmoid = 0x63724947
    /// Stays at the start value and steps at the end.
    case holdStartValue = 0x63724853
    /// Steps at once and stays at the end value.
    case jumpToEndValue = 0x63724a45
}

extension PHASECurveType {
    package var curve: CurveType {
        switch self {
        case .linear: .linear
        case .squared: .squared
        case .inverseSquared: .inverseSquared
        case .cubed: .cubed
        case .inverseCubed: .inverseCubed
        case .sine: .sine
        case .inverseSine: .inverseSine
        case .sigmoid: .sigmoid
        case .inverseSigmoid: .inverseSigmoid
        case .holdStartValue: .holdStartValue
        case .jumpToEndValue: .jumpToEndValue
        }
    }

    package init(_ curve: CurveType) {
        self = switch curve {
        case .linear: .linear
        case .squared: .squared
        case .inverseSquared: .inverseSquared
        case .cubed: .cubed
        case .inverseCubed: .inverseCubed
        case .sine: .sine
        case .inverseSine: .inverseSine
        case .sigmoid: .sigmoid
        case .inverseSigmoid: .inverseSigmoid
        case .holdStartValue: .holdStartValue
        case .jumpToEndValue: .jumpToEndValue
        }
    }
}
