// Plays files and addresses.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleMessages
import Synchronization

/// Plays one item: a sound file on disk or at an HTTP address. It reads ahead, waits where sound does not come in time,
/// and keeps the time of its item to the frame.
///
/// Any thread; nothing here waits for disk or network. Where Apple raises an exception the error is recorded in
/// `lastError` and nothing changes.
open class AVPlayer: NSObject, @unchecked Sendable {
    let machine = PlayerMachine()
    let errors = ErrorLog()

    /// A player without an item.
    public override init() {
        super.init()
        machine.player = self
    }

    /// A player of the file or address `url`.
    public convenience init(url URL: URL) { self.init(playerItem: AVPlayerItem(url: URL)) }

    /// A player of an item.
    public init(playerItem item: AVPlayerItem?) {
        super.init()
        machine.player = self
        adopt(item) { $0.replaceAll(with: item) }
    }

    deinit { machine.locked { $0.replaceAll(with: nil) } }

    // MARK: State

    /// Whether it can play.
    open var status: Status {
        machine.locked { $0.transport.error != nil ? .failed : $0.transport.isReady ? .readyToPlay : .unknown }
    }

    /// Why it cannot; `nil` unless `status` is `.failed`.
    open var error: (any Error)? { machine.locked { $0.transport.error } }

    /// Whether time moves.
    open var timeControlStatus: TimeControlStatus { machine.locked { $0.transport.status } }

    /// Why it waits; `nil` unless it does.
    open var reasonForWaitingToPlay: WaitingReason? { machine.locked { $0.transport.reason } }

    // MARK: Playing

    /// How fast time moves: 0 paused, 1 normal, negative backwards. Setting it plays or pauses. The time effects do
    /// 1/32 … 32, and `.varispeed` 0.25 … 4; beyond, time moves at the nearest speed they can do.
    open var rate: Float {
        get { machine.locked { $0.transport.rate } }
        set { machine.locked { $0.set(rate: newValue, .setRateCalled) } }
    }

    /// The rate of `play()`. Default 1.
    open var defaultRate: Float {
        get { machine.locked { $0.transport.defaultRate } }
        set { machine.locked { $0.transport.defaultRate = newValue.isFinite ? newValue : 1 } }
    }

    /// Plays at `defaultRate`.
    open func play() { machine.locked { $0.set(rate: $0.transport.defaultRate, .setRateCalled) } }

    /// Stops time where it is.
    open func pause() { rate = 0 }

    /// Plays with whatever sound is there, without waiting for more; a stall pauses.
    open func playImmediately(atRate rate: Float) {
        machine.locked { $0.set(rate: rate, .setRateCalled, isImmediate: true) }
    }

    /// Whether it waits, at the start and after a stall, until there is enough sound to go on. Otherwise a stall
    /// pauses. Default true.
    open var automaticallyWaitsToMinimizeStalling: Bool {
        get { machine.locked { $0.transport.waitsForData } }
        set {
            machine.locked {
                $0.transport.waitsForData = newValue
                $0.update()
            }
        }
    }

    /// What happens when the item is over. Default `.pause`; `.advance` in a queue player.
    open var actionAtItemEnd: ActionAtItemEnd {
        get { machine.locked { $0.transport.actionAtEnd } }
        set {
            machine.locked {
                $0.transport.actionAtEnd = newValue
                $0.follow()
            }
        }
    }

    /// Linear gain, 0 … 1. Default 1.
    open var volume: Float {
        get { machine.locked { $0.transport.volume } }
        set {
            machine.locked {
                $0.transport.volume = newValue.isNaN ? 1 : min(max(newValue, 0), 1)
                $0.setVolume()
            }
        }
    }

    /// Whether it is silent while time moves. Default false.
    open var isMuted: Bool {
        get { machine.locked { $0.transport.isMuted } }
        set {
            machine.locked {
                $0.transport.isMuted = newValue
                $0.setVolume()
            }
        }
    }

    /// Identifier or name of the output it plays to, as `AVAudioSessionPortDescription.uid` and `ossicle devices` give
    /// it; `nil`, the default, for the default output. What plays moves there. Where there is no such output, playing
    /// fails with an error that names those there are; when it goes while playing, the player goes on at the default
    /// one.
    open var audioOutputDeviceUniqueID: String? {
        get { machine.locked { $0.transport.outputDevice } }
        set { machine.locked { $0.setOutput(newValue) } }
    }

    // MARK: Items

    /// The item.
    open var currentItem: AVPlayerItem? { machine.locked { $0.queue.first } }

    /// Plays another item, or none. An item of another player is refused.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        adopt(item) { $0.replaceAll(with: item) }
    }

    /// Runs `body`, which adopts an item, unless the item belongs to another player; that is recorded.
    func adopt(_ item: AVPlayerItem?, _ body: (PlayerMachine) -> Void) {
        if let owner = item?.machine, owner !== machine {
            return errors.record(
                PlayerFault.error(
                    "an item of another player", "An item belongs to one player at a time.",
                    "Remove it there first, or make a new item of its asset."))
        }
        machine.locked { body($0) }
    }

    // MARK: Kept without effect

    /// What becomes of it in the background. Default `.automatic`.
    open var audiovisualBackgroundPlaybackPolicy: AVPlayerAudiovisualBackgroundPlaybackPolicy {
        get { machine.locked { $0.transport.policy } }
        set { machine.locked { $0.transport.policy = newValue } }
    }

    /// The clock it follows; the host's at any rate.
    open var sourceClock: CMClock? {
        get { machine.locked { $0.transport.sourceClock } }
        set { machine.locked { $0.transport.sourceClock = newValue } }
    }

    /// Whether state can be observed; it cannot, but for `changes`. Default false.
    open class var isObservationEnabled: Bool {
        get { observation.load(ordering: .relaxed) }
        set { observation.store(newValue, ordering: .relaxed) }
    }

    private static let observation = Atomic(false)
}

/// What a client can get wrong about players.
enum PlayerFault {
    /// The domain of AVFoundation's errors.
    static let domain = "AVFoundationErrorDomain"
    private static let unknown = -11800

    static func error(_ value: String, _ rule: String, _ cure: String) -> OssicleError {
        OssicleError(domain: domain, code: unknown, object: "AVPlayer", value: value, rule: rule, cure: cure)
    }
}
