// The C++ library's streams, which write with writev.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

int main() {
  {
    std::ofstream file("data.tmp");
    for (int i = 0; i < 1000; ++i) file << "entry " << i << '\n';
    file << std::string(100'000, 'x') << std::flush;
  }
  std::filesystem::rename("data.tmp", "data");
  std::filesystem::create_directories("a/b/c");
  std::filesystem::copy_file("data", "a/b/c/copy");
  std::filesystem::resize_file("data", 10);
  std::filesystem::remove_all("a");
  std::cout << "done" << std::endl;
}
