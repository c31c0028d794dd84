// SQLite's C interface. Variadic calls, which Swift cannot see, get a fixed form here.
#pragma once
#include <sqlite3.h>

/// sqlite3_db_config for the switches that take an int and report an int.
static inline int storehouse_sqlite3_db_config_switch(sqlite3 *connection, int option, int value, int *effective) {
    return sqlite3_db_config(connection, option, value, effective);
}
