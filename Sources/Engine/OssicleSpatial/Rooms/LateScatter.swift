import OssicleAcoustics
import OssicleCore

/// How much the late field scatters from one simulation to the next, and how many rays keep that below what is asked
/// for.
///
/// With v the variance of a single ray, x₁ − 2x₂ + x₃ of three simulations in a row with r₁, r₂ and r₃ rays has the
/// variance v (1/r₁ + 4/r₂ + 1/r₃), and the mean of n simulations with r rays v/(n r). Second differences, because what
/// moves changes the field too, and by about as much each time. v is the mean over the last of them, which begins with
/// what makes a quarter of the rays necessary, and over the bands from 125 Hz to 4 kHz.
///
/// Of a crowd, one source that passes through a wall or out of a door changes by what it does, again and again another
/// one, and more rays for all would not help it. There nothing odd counts for more than four times the usual: no source
/// for more than the median of all, and no simulation for more than those before.
struct LateScatter {
    /// The last two, the older one first.
    private var last: [Field] = []
    /// Of one ray, in squares of the error asked for at an error of 1; nil before the first of them.
    private var variance: Double?
    private var differences = 0

    /// One simulation by itself.
    private struct Field {
        let rays: Int
        let room: LateField
        let sources: [OctaveBands]
    }

    private static let bands = 2...7
    /// Differences in the mean; older ones fade.
    private static let memory = 8
    /// Levels may be off by as many dB where times may be off by their own size.
    private static let decibels = 5.0
    /// Sources from which on they are a crowd, and times the usual that count.
    private static let (crowd, odd) = (5, 4.0)
    /// Fewer rays than this tell nothing about a room.
    private static let fewest = 64

    /// For one of `count` simulations that are put together: between a sixteenth and a quarter of all.
    func rays(_ quality: AcousticQuality, meanOf count: Int) -> Int {
        let most = max(quality.rays / 4, min(quality.rays, Self.fewest))
        guard quality.lateError > 0, let variance else { return most }
        // The first differences count as if one had found a quarter of the rays necessary.
        let wanted = variance / (Double(count) * quality.lateError * quality.lateError)
        let known = Double(differences)
        let rays = (wanted * known + Double(most)) / (known + 1)
        return min(max(Int(min(rays, 1e9)), quality.rays / 16, min(quality.rays, Self.fewest)), most)
    }

    /// What one more simulation found.
    mutating func learn(_ responses: LateResponses, rays: Int, speedOfSound: Double) {
        let room = LateField(responses.room, survey: responses.survey, speedOfSound: speedOfSound)
        let field = Field(
            rays: rays, room: room, sources: responses.sources.map { LateField(of: $0, in: room).energy })
        defer { last = last.suffix(1) + [field] }
        guard last.count == 2 else { return }
        let (first, second) = (last[0], last[1])
        let times = Self.difference(first.room.t60, second.room.t60, field.room.t60)
        let levels = 10 / DeterministicMath.ln10 / Self.decibels
        var level = Self.difference(first.room.energy, second.room.energy, field.room.energy)
        let count = field.sources.count
        if count > 0, first.sources.count == count, second.sources.count == count {
            let differences = (0..<count).map {
                Self.difference(first.sources[$0], second.sources[$0], field.sources[$0])
            }
            level = max(level, Self.mean(differences))
        }
        var found =
            max(times, level * levels * levels) / (1 / Double(first.rays) + 4 / Double(second.rays) + 1 / Double(rays))
        differences = min(differences + 1, Self.memory)
        let before = variance ?? found
        if count >= Self.crowd, differences > Self.memory / 2 { found = min(found, Self.odd * before) }
        variance = before + (found - before) / Double(differences)
    }

    private static func mean(_ differences: [Double]) -> Double {
        let isCrowd = differences.count >= crowd
        let most = isCrowd ? odd * differences.sorted()[differences.count / 2] : .infinity
        return differences.reduce(0) { $0 + min($1, most) } / Double(differences.count)
    }

    /// The mean square of ln a − 2 ln b + ln c over the bands in which there is something.
    private static func difference(_ a: OctaveBands, _ b: OctaveBands, _ c: OctaveBands) -> Double {
        var (sum, count) = (0.0, 0)
        for band in bands where a[band] > 0 && b[band] > 0 && c[band] > 0 {
            let turn = DeterministicMath.log(Double(a[band]) * Double(c[band]) / (Double(b[band]) * Double(b[band])))
            (sum, count) = (sum + turn * turn, count + 1)
        }
        return count > 0 ? sum / Double(count) : 0
    }
}
