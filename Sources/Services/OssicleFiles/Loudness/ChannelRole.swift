// What a channel weighs in a measure of loudness.

import CEbur128

/// Roles of channels by ITU-R BS.1770-4: surrounds weigh 1.41, low-frequency effects nothing, all others 1.
package enum ChannelRole {
    /// Without labels, five channels are L R C Ls Rs, six L R C LFE Ls Rs, and all others weigh 1.
    static func roles(channelCount: Int, labels: [UInt32]?) -> [channel] {
        guard let labels, labels.count == channelCount else {
            return switch channelCount {
            case 5: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
            case 6: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
            default: [channel](repeating: EBUR128_CENTER, count: channelCount)
            }
        }
        return labels.map { label in
            switch label {
            case 4, 37, 62: EBUR128_UNUSED
            case 5, 10, 33, 55, 63: EBUR128_LEFT_SURROUND
            case 6, 11, 34, 56, 64: EBUR128_RIGHT_SURROUND
            default: EBUR128_CENTER
            }
        }
    }

    /// What each channel's mean square counts for.
    package static func weights(channelCount: Int, labels: [UInt32]?) -> [Double] {
        roles(channelCount: channelCount, labels: labels).map { role in
            switch role {
            case EBUR128_UNUSED: 0
            case EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND: 1.41
            default: 1
            }
        }
    }
}
