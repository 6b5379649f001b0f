// What is used of libavahi-client: result, name, parameters, arguments, and the result without the library.
#pragma once

#define AVAHI_FUNCTIONS(F) \
    F(AvahiThreadedPoll *, avahi_threaded_poll_new, (void), (), 0) \
    F(const AvahiPoll *, avahi_threaded_poll_get, (AvahiThreadedPoll *poll), (poll), 0) \
    F(int, avahi_threaded_poll_start, (AvahiThreadedPoll *poll), (poll), -1) \
    F(int, avahi_threaded_poll_stop, (AvahiThreadedPoll *poll), (poll), -1) \
    F(void, avahi_threaded_poll_free, (AvahiThreadedPoll *poll), (poll), (void)0) \
    F(AvahiClient *, avahi_client_new, (const AvahiPoll *poll, int flags, ossicle_avahi_client_notice call, void *data, int *error), \
      (poll, flags, call, data, error), 0) \
    F(void, avahi_client_free, (AvahiClient *client), (client), (void)0) \
    F(AvahiEntryGroup *, avahi_entry_group_new, (AvahiClient *client, ossicle_avahi_group_notice call, void *data), \
      (client, call, data), 0) \
    F(int, avahi_entry_group_reset, (AvahiEntryGroup *group), (group), -1) \
    F(int, avahi_entry_group_add_service_strlst, \
      (AvahiEntryGroup *group, int interface, int protocol, int flags, const char *name, const char *type, const char *domain, \
       const char *host, uint16_t port, void *texts), \
      (group, interface, protocol, flags, name, type, domain, host, port, texts), -1) \
    F(int, avahi_entry_group_commit, (AvahiEntryGroup *group), (group), -1) \
    F(AvahiServiceBrowser *, avahi_service_browser_new, \
      (AvahiClient *client, int interface, int protocol, const char *type, const char *domain, int flags, ossicle_avahi_browser_notice call, \
       void *data), \
      (client, interface, protocol, type, domain, flags, call, data), 0) \
    F(AvahiServiceResolver *, avahi_service_resolver_new, \
      (AvahiClient *client, int interface, int protocol, const char *name, const char *type, const char *domain, int addressProtocol, \
       int flags, ossicle_avahi_resolver_notice call, void *data), \
      (client, interface, protocol, name, type, domain, addressProtocol, flags, call, data), 0) \
    F(int, avahi_service_resolver_free, (AvahiServiceResolver *resolver), (resolver), -1) \
    F(char *, avahi_alternative_service_name, (const char *name), (name), 0) \
    F(void, avahi_free, (void *memory), (memory), (void)0)
