// The part of Avahi's binary interface that is used, in our own declarations: a build needs no headers of Avahi's.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct AvahiThreadedPoll AvahiThreadedPoll;
typedef struct AvahiPoll AvahiPoll;
typedef struct AvahiClient AvahiClient;
typedef struct AvahiEntryGroup AvahiEntryGroup;
typedef struct AvahiServiceBrowser AvahiServiceBrowser;
typedef struct AvahiServiceResolver AvahiServiceResolver;
/// An address, four bytes of IPv4 or sixteen of IPv6, in the order of the network.
typedef struct {
    int protocol;
    uint8_t bytes[16];
} ossicle_avahi_address;

typedef void (*ossicle_avahi_client_notice)(AvahiClient *client, int state, void *data);
typedef void (*ossicle_avahi_group_notice)(AvahiEntryGroup *group, int state, void *data);
typedef void (*ossicle_avahi_browser_notice)(
    AvahiServiceBrowser *browser, int interface, int protocol, int event, const char *name, const char *type, const char *domain, int flags,
    void *data);
typedef void (*ossicle_avahi_resolver_notice)(
    AvahiServiceResolver *resolver, int interface, int protocol, int event, const char *name, const char *type, const char *domain,
    const char *host, const ossicle_avahi_address *address, uint16_t port, void *texts, int flags, void *data);

enum { OSSICLE_AVAHI_ANY_INTERFACE = -1, OSSICLE_AVAHI_ANY_PROTOCOL = -1, OSSICLE_AVAHI_IPV4 = 0, OSSICLE_AVAHI_IPV6 = 1 };
/// Of `avahi_client_new`: a client without a daemon waits for one.
enum { OSSICLE_AVAHI_NO_FAIL = 2 };
/// States of a client: the daemon answers; another machine has this one's name; the daemon is gone.
enum { OSSICLE_AVAHI_RUNNING = 2, OSSICLE_AVAHI_HOST_COLLISION = 3, OSSICLE_AVAHI_FAILURE = 100 };
/// States of an entry group.
enum { OSSICLE_AVAHI_ESTABLISHED = 2, OSSICLE_AVAHI_COLLISION = 3 };
/// What adding a service returns where this machine has one of that name.
enum { OSSICLE_AVAHI_LOCAL_COLLISION = -8 };
/// Events of browsers and resolvers.
enum { OSSICLE_AVAHI_NEW = 0, OSSICLE_AVAHI_REMOVE = 1, OSSICLE_AVAHI_FOUND = 0 };
/// Of what a browser found: announced by the browser's own client.
enum { OSSICLE_AVAHI_OUR_OWN = 16 };

#include "functions.h"

#define AVAHI_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
AVAHI_FUNCTIONS(AVAHI_DECLARE)

/// Looks for libavahi-client, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_avahi(void);
