/* The Unix socket of a session: several programs read and write lines there. */
#ifndef HY_CLI_SOCKET_H
#define HY_CLI_SOCKET_H

#include <hydevs/hydevs.h>
#include <poll.h>

typedef struct CliSocket CliSocket;
#define CLI_SOCKET_CLIENTS 16U

/* PATH: a name that nothing has yet, or a socket that nobody listens at any more; for its owner
 * alone. NULL: *STATUS is the exit status. */
CliSocket *cli_socket_open(const char *path, HySession *session, int *status);
void cli_socket_close(CliSocket *socket); /* NULL is fine; the name goes */
/* WHO has place for 1 + CLI_SOCKET_CLIENTS of them; returns how many there are. */
guint cli_socket_watch(const CliSocket *socket, struct pollfd *who);
/* Does what poll() has found for these. */
void cli_socket_serve(CliSocket *socket, const struct pollfd *who, guint n);
/* LINE to all; who does not read loses lines, and is told how many. */
void cli_socket_say(CliSocket *socket, const char *line);

#endif
