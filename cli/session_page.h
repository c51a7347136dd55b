/* hydevs session --page: a page in a browser beside what comes from stdin. */
#ifndef HY_CLI_SESSION_PAGE_H
#define HY_CLI_SESSION_PAGE_H

#include <hydevs/hydevs.h>

typedef struct CliSessionPage CliSessionPage;

/* SESSION, which has begun, and LOADED outlive it. NULL: no page can be served. */
CliSessionPage *cli_session_page_new(HySession *session, const HyLoaded *loaded, guint port,
                                     GError **error);
void cli_session_page_free(CliSessionPage *page); /* NULL is fine */
const char *cli_session_page_address(const CliSessionPage *page);
/* Becomes readable when a page has asked something; then, in the thread of the session, it is
 * answered. -1 of NULL. */
int cli_session_page_fd(const CliSessionPage *page);
void cli_session_page_answer(CliSessionPage *page);

#endif
