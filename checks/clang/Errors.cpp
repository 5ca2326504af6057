#include "Errors.h"

#include <algorithm>
#include <mutex>

namespace samedevice::clangfront {

using namespace clang;

namespace {

/// Checks are made one by one and do not know each other; editors run several files at a time.
std::mutex mutex;
std::vector<std::pair<const DiagnosticsEngine *, std::weak_ptr<Errors>>> listeners;

std::shared_ptr<Errors> findUnlocked(const DiagnosticsEngine &engine) {
  listeners.erase(std::remove_if(listeners.begin(), listeners.end(),
                                 [](const auto &listener) { return listener.second.expired(); }),
                  listeners.end());
  for (const auto &[listened, errors] : listeners)
    if (listened == &engine)
      return errors.lock();
  return nullptr;
}

/// Of a diagnostic for which there is a `-W`.
bool hasOption(const Diagnostic &diagnostic) {
  return !diagnostic.getDiags()->getDiagnosticIDs()->getWarningOptionForDiag(diagnostic.getID()).empty();
}

} // namespace

std::shared_ptr<Errors> Errors::find(const DiagnosticsEngine &engine) {
  std::lock_guard<std::mutex> lock(mutex);
  return findUnlocked(engine);
}

std::shared_ptr<Errors> Errors::of(DiagnosticsEngine &engine) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Errors> errors = findUnlocked(engine);
  if (!errors) {
    errors = std::make_shared<Errors>(engine);
    listeners.emplace_back(&engine, errors);
  }
  return errors;
}

Errors::Errors(DiagnosticsEngine &engine) : engine_(&engine), next_(engine.getClient()), owned_(engine.takeClient()) {
  engine.setClient(this, /*ShouldOwnClient=*/false);
}

Errors::~Errors() { stop(); }

void Errors::stop() {
  if (!engine_)
    return;
  const bool isOwner = owned_ != nullptr;
  engine_->setClient(isOwner ? owned_.release() : next_, isOwner);
  engine_ = nullptr;
}

void Errors::BeginSourceFile(const LangOptions &language, const Preprocessor *preprocessor) {
  next_->BeginSourceFile(language, preprocessor);
}

void Errors::EndSourceFile() { next_->EndSourceFile(); }

bool Errors::IncludeInDiagnosticCounts() const { return next_->IncludeInDiagnosticCounts(); }

void Errors::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) {
  // That there were too many is said of no place.
  if (level == DiagnosticsEngine::Fatal && !silence_)
    silence_ = diagnostic.getLocation().isInvalid() && !places_.empty() ? places_.back() : diagnostic.getLocation();
  // What has an option is a warning that somebody wants to be an error, or Clang does (a narrowing that GCC lets pass):
  // the tree is whole.
  if (level >= DiagnosticsEngine::Error && !hasOption(diagnostic))
    places_.push_back(diagnostic.getLocation());
  next_->HandleDiagnostic(level, diagnostic);
}

void Errors::clear() {
  places_.clear();
  silence_.reset();
  next_->clear();
}

} // namespace samedevice::clangfront
