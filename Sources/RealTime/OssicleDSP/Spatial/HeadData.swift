import OssicleCore

/// A head measured from many directions, split into minimum-phase filters and delays. Control side.
package struct HeadData: Sendable {
    package enum Ear: Int, Sendable, CaseIterable { case left, right }

    /// What was measured in one direction.
    package struct Direction: Sendable {
        /// Unit vector, x right, y up, z back.
        package var vector: Vector
        /// Seconds from a moment common to the whole head, per ear.
        package var delays: SIMD2<Float>
        /// Minimum-phase taps per ear, `tapCount` of them.
        package var left: [Float]
        package var right: [Float]

        package init(vector: Vector, delays: SIMD2<Float>, left: [Float], right: [Float]) {
            (self.vector, self.delays, self.left, self.right) = (vector, delays, left, right)
        }
    }

    package var sampleRate: Double
    package var tapCount: Int
    package var directions: [Direction]
    /// Only the left half of the sphere (x ≤ 0) is given; the right half is its mirror image.
    package var isLeftHalf: Bool

    package init(sampleRate: Double, tapCount: Int, directions: [Direction], isLeftHalf: Bool) {
        (self.sampleRate, self.tapCount, self.directions, self.isLeftHalf) = (sampleRate, tapCount, directions, isLeftHalf)
    }
}

/// Why a head could not be made: which object, which value, which rule, what to do.
package enum HeadDataError: Error, Hashable, CustomStringConvertible {
    case notAHead
    case unsupportedVersion(UInt32)
    case wrongSize(bytes: Int, expected: Int)
    case damaged
    case unusable(field: String, value: Double, rule: String)
    case unsupportedSampleRate(Double)

    package var description: String {
        switch self {
        case .notAHead:
            "Head data: does not begin with \"OSSIHRTF\"; pass a resource made by Scripts/prepare-kemar.py."
        case .unsupportedVersion(let version):
            "Head data: version \(version), this build reads version 1; prepare the resource again with this build's script."
        case .wrongSize(let bytes, let expected):
            "Head data: \(bytes) bytes where its header announces \(expected); the file is cut short or overlong, prepare it again."
        case .damaged:
            "Head data: the checksum does not match the content; prepare the resource again."
        case .unusable(let field, let value, let rule):
            "Head data: \(field) is \(value), must be \(rule); prepare the resource again."
        case .unsupportedSampleRate(let rate):
            "Head filters: sample rate \(rate) Hz, must be 8000 ... 384000 Hz; choose a rate in that range."
        }
    }
}
