#include "CudaDialect.h"

#include "clang/LaunchSpelling.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace samedevice::check {

namespace {

class Respelled : public vfs::File {
public:
  explicit Respelled(std::unique_ptr<vfs::File> file) : file_(std::move(file)) {}

  ErrorOr<vfs::Status> status() override { return file_->status(); }
  ErrorOr<std::string> getName() override { return file_->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t size, bool needsTerminator,
                                                   bool isVolatile) override {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = file_->getBuffer(name, size, needsTerminator, isVolatile);
    if (buffer)
      if (const std::optional<std::string> text = clangfront::launchesForClang((*buffer)->getBuffer()))
        return MemoryBuffer::getMemBufferCopy(*text, (*buffer)->getBufferIdentifier());
    return buffer;
  }
  std::error_code close() override { return file_->close(); }

private:
  std::unique_ptr<vfs::File> file_;
};

class CudaDialect : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &path) override {
    ErrorOr<std::unique_ptr<vfs::File>> file = ProxyFileSystem::openFileForRead(path);
    SmallString<256> name;
    const StringRef kind = sys::path::extension(path.toStringRef(name));
    if (file && (kind == ".cu" || kind == ".cuh" || kind == ".h" || kind == ".hpp" || kind == ".inl"))
      return std::make_unique<Respelled>(std::move(*file));
    return file;
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> filesForClang() {
  return makeIntrusiveRefCnt<CudaDialect>(vfs::getRealFileSystem());
}

} // namespace samedevice::check
