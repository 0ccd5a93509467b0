/* The page as it was built, embedded: gui/page/dist/index.html, or a placeholder; and the licences
 * of what it is bundled of. */
#ifndef RLS2_GUI_PAGE_H
#define RLS2_GUI_PAGE_H

#include <stddef.h>

extern const unsigned char gui_page[];
extern const size_t gui_page_length;
extern const unsigned char gui_notices[];
extern const size_t gui_notices_length;

#endif
