// The vocabulary of system sounds.

import OssicleCoreAudioTypes

/// A sound that was made for `AudioServicesPlaySystemSound`, or one of the system's.
public typealias SystemSoundID = UInt32
/// Which property of a system sound.
public typealias AudioServicesPropertyID = UInt32
/// Called when a sound is over, with the sound and the client's data.
public typealias AudioServicesSystemSoundCompletionProc =
    @convention(c) (SystemSoundID, UnsafeMutableRawPointer?) -> Void

/// Vibration; there is nothing here that vibrates, and it is over at once.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF
/// The alert that the user prefers: a short tone.
public let kSystemSoundID_UserPreferredAlert: SystemSoundID = 0x1000
/// A flash of the screen; there is none here, and it is over at once.
public let kSystemSoundID_FlashScreen: SystemSoundID = 0xFFE
/// As `kSystemSoundID_UserPreferredAlert`.
public let kUserPreferredAlert: SystemSoundID = kSystemSoundID_UserPreferredAlert

/// Whether a sound belongs to the user interface, and is silent where its sounds are switched off. `UInt32`, default 1;
/// the specifier is the sound. Kept without effect. (`isui`)
public let kAudioServicesPropertyIsUISound: AudioServicesPropertyID = 0x6973_7569
/// Whether a sound goes on when the program ends. `UInt32`, default 0; the specifier is the sound. Kept without effect:
/// it does not. (`ifdi`)
public let kAudioServicesPropertyCompletePlaybackIfAppDies: AudioServicesPropertyID = 0x6966_6469

/// Success.
public let kAudioServicesNoError: OSStatus = 0
/// There is no such property. (`pty?`)
public let kAudioServicesUnsupportedPropertyError: OSStatus = 0x7074_793F
/// The data of a property has another size. (`!siz`)
public let kAudioServicesBadPropertySizeError: OSStatus = 0x2173_697A
/// The specifier of a property has another size, or names no sound. (`!spc`)
public let kAudioServicesBadSpecifierSizeError: OSStatus = 0x2173_7063
/// The sound cannot be read.
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500
/// No listener; never returned here.
public let kAudioServicesSystemSoundClientTimedOutError: OSStatus = -1501
/// The sound is longer than 30 s.
public let kAudioServicesSystemSoundExceededMaximumDurationError: OSStatus = -1502
