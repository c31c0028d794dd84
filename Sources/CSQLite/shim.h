// SQLite's C interface. Variadic calls, which Swift cannot see, get a fixed form here.
#pragma once
#include <sqlite3.h>

/// sqlite3_db_config for the switches that take an int and report an int.
static inline int storehouse_sqlite3_db_config_switch(sqlite3 *connection, int option, int value, int *effective) {
    return sqlite3_db_config(connection, option, value, effective);
}

/// Stops SQLite from counting its memory, which takes a lock for every allocation; only before its first use, else nothing happens.
static inline int storehouse_sqlite3_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
