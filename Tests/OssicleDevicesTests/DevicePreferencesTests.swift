@testable import OssicleDevices
import Testing

@Suite struct DevicePreferencesTests {
    @Test(
        "A block lasts as long as is asked for, within what devices can do",
        arguments: [
            (nil, 512), (0.005, 240), (0.1, 4800), (1e-9, 16), (1, 8192), (-1, 512), (.nan, 512), (.infinity, 8192),
        ] as [(Double?, Int)])
    func quantum(_ duration: Double?, _ frames: Int) {
        var preferences = DevicePreferences()
        preferences.bufferDuration = duration
        #expect(preferences.quantum(at: 48000) == frames)
    }

    @Test("A rate that no device has is passed over")
    func rate() {
        var preferences = DevicePreferences()
        for (asked, rate) in [(44100, 44100), (1, nil), (.nan, nil), (1e9, nil)] as [(Double, Double?)] {
            preferences.sampleRate = asked
            #expect(preferences.possibleRate == rate)
        }
    }

    private static let gone = DeviceError.noDevice(device: "gone", detail: "unplugged")

    @Test("A device that is not there gives way to the default; other errors stand")
    func absent() {
        var preferences = DevicePreferences()
        preferences.outputDevice = "gone"
        let wishes = FormatWishes()
        let first = preferences.firstAttempt(.output, wishes)
        #expect(first == DeviceAttempt(words: "gone", wishes: wishes))
        let second = DeviceAttempt(words: nil, wishes: wishes)
        #expect(preferences.attempt(after: first, Self.gone, wishes) == second)
        #expect(preferences.attempt(after: second, Self.gone, wishes) == nil)
        #expect(preferences.attempt(after: first, .refused(device: "gone", code: 1), wishes) == nil)
    }

    @Test("A preferred rate that a device cannot have gives way to its own; a wished one does not")
    func wrongRate() {
        var preferences = DevicePreferences()
        preferences.sampleRate = 44100
        let error = DeviceError.wrongRate(device: "test", sampleRate: 44100, offered: 48000)
        let first = preferences.firstAttempt(.input, FormatWishes())
        #expect(first.wishes.sampleRate == 44100)
        let second = preferences.attempt(after: first, error, FormatWishes())
        #expect(second == DeviceAttempt(words: nil, wishes: FormatWishes()))
        let wishes = FormatWishes(sampleRate: 96000)
        let wished = preferences.firstAttempt(.input, wishes)
        #expect(wished.wishes == wishes && preferences.attempt(after: wished, error, wishes) == nil)
    }

    @Test("Preferred channels are those of one direction; a wish goes before, and a device that refuses has its own")
    func channels() {
        var preferences = DevicePreferences()
        preferences.outputChannels = 6
        let first = preferences.firstAttempt(.output, FormatWishes())
        #expect(first.wishes.channelCount == 6)
        #expect(preferences.firstAttempt(.input, FormatWishes()).wishes.channelCount == nil)
        #expect(preferences.firstAttempt(.output, FormatWishes(channelCount: 2)).wishes.channelCount == 2)
        let refusal = DeviceError.rejected(device: "test", detail: "6 channels")
        #expect(preferences.attempt(after: first, refusal, FormatWishes())?.wishes.channelCount == nil)
        #expect(preferences.attempt(after: first, refusal, FormatWishes()) != nil)
    }
}
