/* Any bytes as a file of a profile; mutate.h gives most of them the right checksum. They are
 * refused with a terminated message, or make a profile that packs to a file that is read again and
 * packs to itself, can be added to another of the same rows, and be looked at. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "rls2/rls2.h"
#include "stats/table_profile.h"

static void look(const rls2_profile *profile)
{
    rls2__profile_column found;
    require(rls2_profile_rows(profile) >= 0 && rls2_profile_left_out(profile) >= 0);
    for (int64_t j = 0; j < rls2_profile_columns(profile); j++) {
        require(rls2_profile_column_name(profile, j) != NULL);
        if (rls2_profile_rows(profile) == 0) continue;
        require(rls2__profile_look(profile, j, &found, NULL) == RLS2_OK);
        require(found.low <= found.high && found.deviation >= 0.0);
    }
}

static void check_profile(rls2_profile *profile)
{
    void *bytes[2] = {NULL, NULL};
    int64_t length[2], rows = rls2_profile_rows(profile);
    rls2_profile *again = NULL;
    rls2_error err = {.message = ""};
    require(rls2_profile_pack(profile, &bytes[0], &length[0], NULL) == RLS2_OK);
    require(rls2_profile_unpack("again", bytes[0], length[0], &again, NULL) == RLS2_OK);
    require(rls2_profile_pack(again, &bytes[1], &length[1], NULL) == RLS2_OK);
    require(length[0] == length[1] && memcmp(bytes[0], bytes[1], (size_t)length[0]) == 0);
    rls2_status status = rls2_profile_merge(profile, again, &err);
    require(status == RLS2_OK || err.status == status);
    if (status == RLS2_OK) require(rls2_profile_rows(profile) == 2 * rows);
    if (status == RLS2_OK) look(profile);
    rls2_profile_free(again);
    rls2_bytes_free(bytes[0]);
    rls2_bytes_free(bytes[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rls2_profile *profile = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_profile_unpack("fuzz", data, (int64_t)size, &profile, &err);
    require((profile != NULL) == (status == RLS2_OK));
    if (status != RLS2_OK) {
        require(err.status == status);
        require(memchr(err.message, '\0', sizeof err.message) != NULL);
        require(strncmp(err.message, "fuzz: ", 6) == 0 || status == RLS2_ERR_MEMORY);
    } else {
        look(profile);
        check_profile(profile);
    }
    rls2_profile_free(profile);
    return 0;
}
