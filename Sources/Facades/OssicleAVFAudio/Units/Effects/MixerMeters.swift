import OssicleAudioToolbox
import OssicleNodes
import OssicleRender

/// The meters of a mixer unit: levels of an element before and behind its volume, where metering is on. Any thread.
///
/// The average is over 4096 frames, the peak is held for 16 times as long; of a bus with several channels it is the
/// loudest.
final class MixerMeters: @unchecked Sendable {
    /// Where an element is measured, and how.
    struct Point {
        let row: MixerRow
        let levels: () -> (pre: ChannelLevel, post: ChannelLevel)
    }

    /// A bus, or a channel of the matrix mixer.
    struct Element: Hashable {
        let scope: AudioUnitScope
        let number: Int
    }

    private let lock = NSLock()
    // Under the lock.
    private var wanted: Set<Element> = []
    private var points: [Element: Point] = [:]

    /// The meters among a tree's parameters read from here.
    init(_ tree: AUParameterTree) {
        for parameter in tree.allParameters {
            guard let reading = Reading(rawValue: AudioUnitParameterID(truncatingIfNeeded: parameter.address)) else {
                continue
            }
            let place = ParameterPlace(parameter.address)
            let element = Element(scope: place.scope, number: Int(place.element))
            parameter.implementorValueProvider = { [weak self] _ in reading.value(of: self?.levels(at: element)) }
        }
    }

    func isOn(_ element: Element) -> Bool { lock.withLock { wanted.contains(element) } }

    func set(_ isOn: Bool, _ element: Element) {
        lock.withLock {
            if isOn { wanted.insert(element) } else { wanted.remove(element) }
            apply()
        }
    }

    /// The rows are others.
    func replace(_ points: [Element: Point]) {
        lock.withLock {
            self.points = points
            apply()
        }
    }

    /// A row measures while any of its elements is wanted.
    private func apply() {
        for point in points.values { point.row.setMetered(false) }
        for element in wanted { points[element]?.row.setMetered(true) }
    }

    private func levels(at element: Element) -> (pre: ChannelLevel, post: ChannelLevel)? {
        lock.withLock { wanted.contains(element) ? points[element]?.levels() : nil }
    }

    /// The parameters that are meters, by number: the same in both mixers.
    private enum Reading: AudioUnitParameterID {
        case preAverage = 1000
        case prePeak = 2000
        case postAverage = 3000
        case postPeak = 4000
        case preAverageLinear = 5000
        case prePeakLinear = 6000
        case postAverageLinear = 7000
        case postPeakLinear = 8000

        /// dB −120 … 20, or amplitude 0 … 10.
        func value(of levels: (pre: ChannelLevel, post: ChannelLevel)?) -> AUValue {
            let (pre, post) = levels ?? (ChannelLevel(), ChannelLevel())
            return switch self {
            case .preAverage: decibels(pre.power.squareRoot())
            case .prePeak: decibels(pre.peak)
            case .postAverage: decibels(post.power.squareRoot())
            case .postPeak: decibels(post.peak)
            case .preAverageLinear: min(pre.power.squareRoot(), 10)
            case .prePeakLinear: min(pre.peak, 10)
            case .postAverageLinear: min(post.power.squareRoot(), 10)
            case .postPeakLinear: min(post.peak, 10)
            }
        }

        private func decibels(_ amplitude: Float) -> AUValue { min(max(20 * log10(amplitude), -120), 20) }
    }
}

extension AUAudioUnit {
    /// Of a mixer that has meters, by itself or as the unit of a node.
    var mixerMeters: MixerMeters? { (body as? MixerBody)?.meters ?? (self as? NodeUnit)?.mixer?.meters }
}
