// libsodium: hashes, keyed checksums, random bytes, password hashing.
#pragma once
#include <sodium.h>
