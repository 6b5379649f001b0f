/// The picture's colours. The data colours are those of Okabe and Ito (2008), told apart by colour-blind eyes too.
enum Ink {
    static let text = "#22262B"
    static let faint = "#6B7280"
    static let grid = "#E2E5EA"
    static let paper = "#FFFFFF"
    static let panel = "#F7F8FA"
    static let direct = "#0072B2"
    static let reverb = "#D55E00"
    static let voice = "#CC3377"
    static let loop = "#009E73"
    static let listener = "#22262B"
    static let samples = direct
    static let loudness = reverb
    static let clipping = "#D00000"
}
