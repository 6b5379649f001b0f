@testable import OssicleDevices
import Foundation
import OssicleTestSupport
import Synchronization
import Testing

@Suite struct DeviceSearchTests {
    private static let nothing = DeviceError.noServer(device: "test", detail: "nothing listens")

    @Test("A search looks until a device opens, gives it once, and is over")
    func finds() {
        let looks = Atomic(0)
        let found = Mutex<[Int]>([])
        let search = DeviceSearch(
            open: {
                let look = looks.wrappingAdd(1, ordering: .relaxed).newValue
                // Whatever the reason is why there is none.
                if look == 1 { throw Self.nothing }
                if look == 2 { throw DeviceError.refused(device: "test", code: 1) }
                return look
            }, found: { device in found.withLock { $0.append(device) } })
        #expect(SoundServer.eventually { found.withLock { $0 == [3] } })
        search.stop()
        let total = looks.load(ordering: .relaxed)
        #expect(total == 3)
    }

    @Test("A search that is stopped, or that nobody keeps, looks no more and finds nothing")
    func ends() {
        for isKept in [true, false] {
            let looks = Atomic(0)
            let found = Atomic(false)
            var search: DeviceSearch? = DeviceSearch(
                open: {
                    if looks.wrappingAdd(1, ordering: .relaxed).newValue < 3 { throw Self.nothing }
                }, found: { found.store(true, ordering: .relaxed) })
            #expect(SoundServer.eventually { looks.load(ordering: .relaxed) >= 1 })
            if isKept { search?.stop() } else { search = nil }
            let count = looks.load(ordering: .relaxed)
            // One look may be under way.
            Thread.sleep(forTimeInterval: 4 * DeviceSearch.interval)
            let later = looks.load(ordering: .relaxed)
            #expect(later <= count + 1)
            let hasFound = found.load(ordering: .relaxed)
            #expect(!hasFound)
            withExtendedLifetime(search) {}
        }
    }
}
