// Short sounds in one call. Any thread; nothing here waits for a device.

import OssicleCoreAudioTypes

/// Reads the file at `inFileURL`, of at most 30 s and of any format that is readable, and writes a number for it.
/// `kAudioServicesSystemSoundUnspecifiedError` for what cannot be read,
/// `kAudioServicesSystemSoundExceededMaximumDurationError` for what is longer; the number is then 0.
@discardableResult
public func AudioServicesCreateSystemSoundID(
    _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
    outSystemSoundID.pointee = 0
    switch SystemSound.read(inFileURL as URL) {
    case .success(let sound):
        outSystemSoundID.pointee = SystemSoundTable.shared.add(sound)
        return kAudioServicesNoError
    case .failure(let error): return error.status
    }
}

/// Forgets a sound; one that plays ends. `kAudioServicesSystemSoundUnspecifiedError` for a number there is not.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
    guard SystemSoundTable.shared.remove(inSystemSoundID) else { return kAudioServicesSystemSoundUnspecifiedError }
    SystemSoundPlayer.shared.stop(inSystemSoundID)
    return kAudioServicesNoError
}

/// Plays a sound, beside others; one that plays already begins again. For a number there is not nothing is heard.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
    SystemSoundPlayer.shared.play(inSystemSoundID, nil)
}

/// As `AudioServicesPlaySystemSound`: there is nothing here that vibrates.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
    SystemSoundPlayer.shared.play(inSystemSoundID, nil)
}

/// Plays a sound and calls the block when it is over, has been disposed of or cannot be played; on a queue of Ossicle's
/// own.
public func AudioServicesPlaySystemSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
    SystemSoundPlayer.shared.play(inSystemSoundID, inCompletionBlock.map { SystemSoundCompletion($0) })
}

/// As `AudioServicesPlaySystemSoundWithCompletion`: there is nothing here that vibrates.
public func AudioServicesPlayAlertSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
    SystemSoundPlayer.shared.play(inSystemSoundID, inCompletionBlock.map { SystemSoundCompletion($0) })
}

/// Has a function called each time the sound is over, in the run loop and mode given; the main run loop for `nil`. A
/// second function takes the place of the first. `kAudioServicesSystemSoundUnspecifiedError` for a number there is not.
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
    _ inSystemSoundID: SystemSoundID, _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
    _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    let completion = SystemSoundCompletion { inCompletionRoutine(inSystemSoundID, inClientData) }
    let mode = inRunLoopMode.map { RunLoop.Mode(rawValue: $0 as String) } ?? .default
    let isKnown = SystemSoundTable.shared.change(inSystemSoundID) { sound in
        sound.completion = completion.inRunLoop(inRunLoop, mode)
    }
    return isKnown ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// No function is called any more when the sound is over.
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
    SystemSoundTable.shared.change(inSystemSoundID) { $0.completion = nil }
}

/// Size of a property, and that it can be written. Errors as in `AudioServicesGetProperty`.
@discardableResult
public func AudioServicesGetPropertyInfo(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    withSoundProperty(inPropertyID, inSpecifierSize, inSpecifier) { _ in
        outPropertyDataSize?.pointee = UInt32(MemoryLayout<UInt32>.size)
        outWritable?.pointee = true
        return kAudioServicesNoError
    }
}

/// Reads a property. `kAudioServicesUnsupportedPropertyError`, `kAudioServicesBadSpecifierSizeError` where the
/// specifier is not the number of a sound, `kAudioServicesBadPropertySizeError`.
@discardableResult
public func AudioServicesGetProperty(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    withSoundProperty(inPropertyID, inSpecifierSize, inSpecifier) { value in
        let size = MemoryLayout<UInt32>.size
        guard let outPropertyData, Int(ioPropertyDataSize.pointee) >= size else {
            return kAudioServicesBadPropertySizeError
        }
        ioPropertyDataSize.pointee = UInt32(size)
        outPropertyData.storeBytes(of: value, as: UInt32.self)
        return kAudioServicesNoError
    }
}

/// Writes a property. Errors as in `AudioServicesGetProperty`.
@discardableResult
public func AudioServicesSetProperty(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    withSoundProperty(inPropertyID, inSpecifierSize, inSpecifier) { value in
        guard Int(inPropertyDataSize) == MemoryLayout<UInt32>.size else { return kAudioServicesBadPropertySizeError }
        value = inPropertyData.loadUnaligned(as: UInt32.self)
        return kAudioServicesNoError
    }
}

private func withSoundProperty(
    _ property: AudioServicesPropertyID, _ size: UInt32, _ specifier: UnsafeRawPointer?,
    _ body: (inout UInt32) -> OSStatus
) -> OSStatus {
    guard let path = SystemSound.property(property) else { return kAudioServicesUnsupportedPropertyError }
    guard let specifier, Int(size) == MemoryLayout<SystemSoundID>.size else {
        return kAudioServicesBadSpecifierSizeError
    }
    var status = kAudioServicesBadSpecifierSizeError
    SystemSoundTable.shared.change(specifier.loadUnaligned(as: SystemSoundID.self)) {
        status = body(&$0[keyPath: path])
    }
    return status
}
