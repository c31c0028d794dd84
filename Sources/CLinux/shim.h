// The Linux calls that Glibc's Swift module leaves out: epoll, eventfd and accept4.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Declared by hand: glibc shows it only under _GNU_SOURCE, which a module cannot set for a header built before it.
extern int accept4(int descriptor, struct sockaddr *_Nullable address, socklen_t *_Nullable length, int flags);
