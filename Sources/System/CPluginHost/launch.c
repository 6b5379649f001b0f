// Starts the process of a plug-in.
#define _GNU_SOURCE
#include "PluginHost.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

/// The shared library that this code is in; false where it is in the program itself, or none can be found.
static bool find_library(char *path) {
    char program[PATH_MAX] = {0};
    Dl_info here;
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 || !dladdr((void *)ossicle_plugin_launch, &here) || !here.dli_fname) return false;
    return realpath(here.dli_fname, path) && strcmp(path, program) != 0;
}

/// The environment, with the word by which the new process knows itself. Where this code is in a library, as in Python, the loader is to bring it
/// along before the program begins.
static char **make_environment(char *preload, size_t room) {
    static char word[] = "OSSICLE_PLUGIN_PROCESS=1", marked[] = "OSSICLE_PLUGIN_PRELOAD=1";
    char path[PATH_MAX];
    size_t count = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 4, sizeof *list);
    if (!list) return 0;
    size_t kept = 0;
    bool is_library = find_library(path);
    for (size_t i = 0; i < count; i++)
        if (!is_library || strncmp(environ[i], "LD_PRELOAD=", 11) != 0) list[kept++] = environ[i];
    list[kept++] = word;
    if (is_library) {
        snprintf(preload, room, "LD_PRELOAD=%s", path);
        list[kept++] = preload;
        list[kept++] = marked;
    }
    return list;
}

/// A descriptor above those that the new process expects.
static int raised(int file) {
    int higher = fcntl(file, F_DUPFD_CLOEXEC, 10);
    close(file);
    return higher;
}

static int spawn(int socket, int memory, int *pid) {
    char preload[PATH_MAX + 16];
    char **environment = make_environment(preload, sizeof preload);
    if (!environment) return ENOMEM;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    // What plug-ins print is no output of the host's.
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!getenv("OSSICLE_PLUGIN_LOG")) posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, 3);
    posix_spawn_file_actions_adddup2(&actions, memory, 4);
    char name[] = "ossicle-plugin";
    char *arguments[] = {name, 0};
    int error = posix_spawn(pid, "/proc/self/exe", &actions, 0, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

int ossicle_plugin_launch(ossicle_plugin_process *process) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    int own = raised(ends[0]), theirs = raised(ends[1]);
    int memory = memfd_create("ossicle-plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory >= 0) memory = raised(memory);
    int error = own < 0 || theirs < 0 || memory < 0 ? errno : 0;
    // Memory that the other side made shorter would end this one.
    if (!error && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) != 0) error = errno;
    if (!error) error = spawn(theirs, memory, &process->pid);
    if (theirs >= 0) close(theirs);
    if (error) {
        if (own >= 0) close(own);
        if (memory >= 0) close(memory);
        return error;
    }
    process->socket = own;
    process->memory = memory;
    return 0;
}
