/* Sends in every way to a thread that listens, waits for a large one, and sees errors as ever. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"

enum { kLarge = 16 << 20 };
static char large[kLarge];

/* Reads until the other end closes; returns how much there was. */
static void* receive(void* listener) {
  int socket = accept(*(int*)listener, NULL, NULL);
  static long total;
  char bytes[65536];
  CHECK(socket >= 0);
  for (;;) {
    ssize_t size = read(socket, bytes, sizeof bytes);
    CHECK(size >= 0);
    if (size == 0) break;
    if (total == 0) usleep(20000); /* so that a large send has to wait */
    total += size;
  }
  CHECK(write(socket, "bye", 3) == 3);
  close(socket);
  return &total;
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  pthread_t reader;
  CHECK(listen(listener, 1) == 0);
  CHECK(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  CHECK(pthread_create(&reader, NULL, receive, &listener) == 0);

  int client = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(connect(client, (struct sockaddr*)&address, sizeof address) == 0);
  CHECK(send(client, "one", 3, 0) == 3);
  CHECK(write(client, "two", 3) == 3);
  struct iovec pieces[] = {{"th", 2}, {"ree", 3}};
  CHECK(writev(client, pieces, 2) == 5);
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
  CHECK(sendmsg(client, &message, MSG_NOSIGNAL) == 5);
  CHECK(fcntl(client, F_SETFL, O_NONBLOCK) == 0);
  CHECK(send(client, "four", 4, 0) == 4);
  CHECK(fcntl(client, F_SETFL, 0) == 0);
  CHECK(send(client, large, sizeof large, 0) == sizeof large);
  CHECK_FAILS(send(client, (void*)8, 10, 0), EFAULT);
  CHECK(shutdown(client, SHUT_WR) == 0);
  signal(SIGPIPE, SIG_IGN);
  CHECK_FAILS(send(client, "late", 4, 0), EPIPE);
  char answer[3];
  CHECK(recv(client, answer, sizeof answer, MSG_WAITALL) == 3);
  void* total = NULL;
  CHECK(pthread_join(reader, &total) == 0);
  CHECK(*(long*)total == 3 + 3 + 5 + 5 + 4 + kLarge);

  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  CHECK(write(pair[0], "inside", 6) == 6);
  return 0;
}
