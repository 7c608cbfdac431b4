/* Sends "question" to a thread that listens on 127.0.0.2 and answers "answer", and prints how each
   step went: dials [nonblocking] [timeouts] [alarm] [unix]. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"

static int nonblocking;

static void* serve(void* listener) {
  char bytes[64];
  for (;;) {
    int socket = accept(*(int*)listener, NULL, NULL);
    if (socket < 0) return NULL;
    ssize_t size = recv(socket, bytes, sizeof bytes, MSG_WAITALL);
    if (size >= 0) send(socket, "answer", 6, MSG_NOSIGNAL);
    close(socket);
  }
}

static void tell(const char* step, long result) {
  printf("%s: %s\n", step, result < 0 ? strerrorname_np(errno) : "done");
}

/* For as long as an impatient program would. */
static int silent(int socket, short events) {
  struct pollfd wanted = {socket, events, 0};
  return poll(&wanted, 1, 100) == 0;
}

static void on_alarm(int number) {
  (void)number;
}

static int has(int count, char** arguments, const char* word) {
  for (int i = 1; i < count; ++i) {
    if (strcmp(arguments[i], word) == 0) return 1;
  }
  return 0;
}

static socklen_t address_of(int local, struct sockaddr_storage* address) {
  if (local) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "peer"};
    memcpy(address, &name, sizeof name);
    return sizeof name;
  }
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002)};
  memcpy(address, &name, sizeof name);
  return sizeof name;
}

static void prepare(int count, char** arguments, int client) {
  nonblocking = has(count, arguments, "nonblocking");
  if (nonblocking) CHECK(fcntl(client, F_SETFL, O_NONBLOCK) == 0);
  if (has(count, arguments, "timeouts")) {
    struct timeval limit = {0, 100000};
    CHECK(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    CHECK(setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0);
  }
  if (has(count, arguments, "alarm")) {
    struct sigaction action = {.sa_handler = on_alarm}; /* without SA_RESTART */
    struct itimerval soon = {{0, 100000}, {0, 100000}};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &soon, NULL) == 0);
  }
}

static void receive(int client) {
  char answer[16];
  for (;;) {
    if (nonblocking && silent(client, POLLIN)) {
      puts("receive: silent");
      return;
    }
    errno = 0;
    ssize_t size = recv(client, answer, sizeof answer, 0);
    if (size < 0)
      tell("receive", size);
    else
      printf("receive: %zd\n", size);
    if (size <= 0) return;
  }
}

int main(int count, char** arguments) {
  int local = has(count, arguments, "unix");
  struct sockaddr_storage address;
  socklen_t size = address_of(local, &address);
  int listener = socket(local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  CHECK(bind(listener, (struct sockaddr*)&address, size) == 0 && listen(listener, 9) == 0);
  CHECK(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  pthread_t server;
  CHECK(pthread_create(&server, NULL, serve, &listener) == 0);

  int client = socket(local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  prepare(count, arguments, client);
  int result = connect(client, (struct sockaddr*)&address, size);
  tell("connect", result);
  if (result < 0 && errno != EINPROGRESS) return 0;
  if (nonblocking && silent(client, POLLOUT)) {
    puts("connect: silent");
    return 0;
  }
  ssize_t sent = send(client, "question", 8, 0);
  if (sent < 0)
    tell("send", sent);
  else
    printf("send: %zd\n", sent);
  if (sent < 0) return 0;
  shutdown(client, SHUT_WR);
  receive(client);
  return 0;
}
