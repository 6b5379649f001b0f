// Long system exclusive messages, sent piece by piece while the program does other things.

import OssicleCore

/// Bytes that are sent one piece after the other. Called on the thread that delivers.
package struct SysExRequest: Sendable {
    /// The next bytes, at most so many; empty when there are no more, or when the sending is to stop.
    package let next: @Sendable (_ most: Int) -> [UInt8]
    /// Called once, at the end, however it came.
    package let completed: @Sendable () -> Void

    package init(next: @escaping @Sendable (_ most: Int) -> [UInt8], completed: @escaping @Sendable () -> Void) {
        self.next = next
        self.completed = completed
    }
}

extension MIDIHub {
    /// Most bytes of one piece.
    static let sysExPiece = 256

    /// Sends a request to a destination no faster than its property `maxSysExSpeed` says, in bytes a second; without one
    /// a virtual destination gets all pieces at once, and a device 3125 bytes a second, as MIDI 1.0 cables carry them. Ends
    /// early where the destination goes.
    package func send(_ request: SysExRequest, to destination: HubID) throws(HubFault) {
        let speed = try state.withLock { (state) throws(HubFault) in
            let object = try state.endpoint(destination, isSource: false)
            let isVirtual = state.objects[object.parent]?.kind == .client
            guard case .integer(let speed)? = state.inherited(HubProperty.maxSysExSpeed, of: object), speed > 0 else {
                return isVirtual ? nil : 3125.0
            }
            return Double(speed)
        }
        schedule(at: now) { [weak self] in self?.sendPiece(request, to: destination, speed: speed) }
    }

    private func sendPiece(_ request: SysExRequest, to destination: HubID, speed: Double?) {
        let bytes = request.next(MIDIHub.sysExPiece)
        guard !bytes.isEmpty, (try? send(bytes, at: 0, to: destination)) != nil else { return request.completed() }
        let pause = speed.map { UInt64(1e9 * Double(bytes.count) / $0) } ?? 0
        schedule(at: now + pause) { [weak self] in self?.sendPiece(request, to: destination, speed: speed) }
    }
}
