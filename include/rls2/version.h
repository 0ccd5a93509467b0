/* The version of these headers; rls2_version() tells that of the library in use. */
#ifndef RLS2_VERSION_H
#define RLS2_VERSION_H

#define RLS2_VERSION_MAJOR 0
#define RLS2_VERSION_MINOR 12
#define RLS2_VERSION_PATCH 0

#endif
