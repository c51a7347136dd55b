/* The thread of a session that keeps the time of the clock: it computes, and what it says goes into
 * a ring that the other thread empties. It waits for nobody. */
#ifndef HY_SESSION_DRIVER_H
#define HY_SESSION_DRIVER_H

#include "hydevs/json.h"
#include "hydevs/session.h"

typedef struct HyDriver HyDriver;
/* In the other thread: starts it the first time, and tells what has been said. As
 * hy_session_turn().
 */
double hy_driver_turn(HySession *s);
void hy_driver_free(HyDriver *driver); /* NULL is fine; ends the thread */
/* In its thread: LINE for all who hear. What does not fit is dropped, and counted. */
void hy_driver_tell(HyDriver *driver, const char *line);
int hy_driver_fd(const HyDriver *driver); /* readable: something has been said */
void hy_driver_json(const HyDriver *driver, HyJsonOut *json);
/* To all who hear, in the thread that calls hy_session_turn(). */
void hy_session_tell_here(const HySession *s, const char *line);

#endif
