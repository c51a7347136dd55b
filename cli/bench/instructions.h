/* Instructions that this process executes outside the kernel, where the kernel lets them be
 * counted. */
#ifndef HY_CLI_INSTRUCTIONS_H
#define HY_CLI_INSTRUCTIONS_H

int instructions_start(void);         /* for instructions_end() */
double instructions_end(int counter); /* since the start; NaN: nobody has counted */

#endif
