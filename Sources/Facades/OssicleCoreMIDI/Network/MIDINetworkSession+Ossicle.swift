// What Ossicle adds to network sessions.

import OssicleCoreAudioTypes

extension MIDINetworkSession: OssicleAdditions {}

extension OssicleAdditions where Self: MIDINetworkSession {
    /// An address of this machine at which the session listens when it is enabled: "127.0.0.1" at first, so that other
    /// machines do not reach it; "0.0.0.0" listens at all of IPv4, "::" at all there are. Bonjour finds hosts by
    /// addresses of the same family (an addition of Ossicle).
    public var listeningAddress: String {
        get { withContent { $0.listeningAddress } }
        set { withContent { $0.listeningAddress = newValue } }
    }

    /// The control port wanted; 0, as at first, lets the system choose (an addition of Ossicle).
    public var listeningPort: Int {
        get { withContent { $0.listeningPort } }
        set { withContent { $0.listeningPort = newValue } }
    }

    /// Hosts that announce a session by Bonjour, by their services, while this session is enabled; none where Avahi's
    /// daemon does not run. `MIDINetworkNotificationSessionDidChange` is posted when one comes or goes (an addition of
    /// Ossicle).
    public var hostsInReach: Set<MIDINetworkHost> {
        Set(
            services.keys.map {
                MIDINetworkHost(name: $0.name, netServiceName: $0.name, netServiceDomain: $0.domain)
            })
    }

    /// Why the session could not be enabled the last time; `nil` where it could always (an addition of Ossicle).
    public var lastError: (any Error)? { withContent { $0.lastError } }
}
