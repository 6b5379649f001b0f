// Bars and beats.

/// Time signatures, and the bars they make.
///
/// A beat of the sequence is a quarter note; a bar has `numerator` notes of 1/`denominator`, which are the beats that
/// musicians count. A signature within a bar ends that bar early. Bars are counted from 1; before the first signature a
/// bar has four quarters.
package struct MeterMap: Sendable {
    /// A time signature and the beat from which on it holds.
    package struct Signature: Hashable, Sendable {
        package var beat: Double
        package var numerator: Int
        /// A power of two.
        package var denominator: Int

        package init(beat: Double, numerator: Int, denominator: Int) {
            (self.beat, self.numerator, self.denominator) = (beat, numerator, denominator)
        }

        /// Quarter notes of a bar.
        var barLength: Double { Double(numerator) * noteLength }
        /// Quarter notes of one of the notes that are counted.
        var noteLength: Double { 4 / Double(denominator) }
    }

    /// A musical position.
    package struct Position: Hashable, Sendable {
        /// From 1.
        package var bar: Int
        /// Note of the bar, from 1.
        package var note: Int
        /// Part of that note, 0 ..< 1.
        package var fraction: Double

        package init(bar: Int, note: Int, fraction: Double) {
            (self.bar, self.note, self.fraction) = (bar, note, fraction)
        }
    }

    private struct Stretch {
        let signature: Signature
        /// Number of the bar that begins here.
        let bar: Int
    }

    private let stretches: [Stretch]

    /// - Parameter signatures: in order of beats. Those with a numerator of 0 or more than 255, and with a denominator
    ///   that is no power of two up to 2^15, are left out.
    package init(_ signatures: [Signature]) {
        var all = [Stretch(signature: Signature(beat: 0, numerator: 4, denominator: 4), bar: 1)]
        for signature in signatures where Self.isUsable(signature) {
            guard let last = all.last, signature.beat >= last.signature.beat else { continue }
            let bars = (signature.beat - last.signature.beat) / last.signature.barLength
            // A bar that is cut short counts as one; what rounding leaves of a bar does not.
            let passed = min((bars - 1e-9).rounded(.up), 0x1p40)
            if signature.beat == last.signature.beat { all.removeLast() }
            all.append(Stretch(signature: signature, bar: last.bar + Int(max(passed, 0))))
        }
        stretches = all
    }

    private static func isUsable(_ signature: Signature) -> Bool {
        signature.beat.isFinite && signature.beat >= 0 && (1...255).contains(signature.numerator)
            && (1...1 << 15).contains(signature.denominator)
            && signature.denominator & (signature.denominator - 1) == 0
    }

    /// All signatures, at least one; the first at beat 0.
    package var signatures: [Signature] { stretches.map(\.signature) }

    /// The signature that holds at a beat.
    package func signature(at beat: Double) -> Signature { stretch { $0.signature.beat <= beat }.signature }

    /// The position of a beat. Beats beyond ±2^40 are taken as that.
    package func position(of beat: Double) -> Position {
        let beat = beat.isNaN ? 0 : min(max(beat, -0x1p40), 0x1p40)
        let stretch = stretch { $0.signature.beat <= beat }
        let notes = (beat - stretch.signature.beat) / stretch.signature.noteLength
        let whole = notes.rounded(.down)
        let count = Int(whole), numerator = stretch.signature.numerator
        let note = ((count % numerator) + numerator) % numerator
        return Position(bar: stretch.bar + (count - note) / numerator, note: note + 1, fraction: notes - whole)
    }

    /// The beat of a position. Notes may be more than a bar has.
    package func beat(of position: Position) -> Double {
        let stretch = stretch { $0.bar <= position.bar }, signature = stretch.signature
        let bars = Double(position.bar) - Double(stretch.bar)
        return signature.beat + bars * signature.barLength
            + (Double(position.note) - 1 + position.fraction) * signature.noteLength
    }

    private func stretch(_ begins: (Stretch) -> Bool) -> Stretch { stretches.last(where: begins) ?? stretches[0] }
}
