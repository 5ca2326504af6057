// Where Clang met errors in a file. Its syntax tree does not say: a statement that cannot be parsed is not in it.
#pragma once

#include "clang/Basic/Diagnostic.h"

#include <memory>
#include <optional>
#include <vector>

namespace samedevice::clangfront {

/// Listens from when it is made until `stop`, in front of the consumer that is there.
class Errors : public clang::DiagnosticConsumer {
public:
  /// The listener of a compilation; whoever asks first has it made.
  static std::shared_ptr<Errors> of(clang::DiagnosticsEngine &engine);
  /// Null where nobody listens.
  static std::shared_ptr<Errors> find(const clang::DiagnosticsEngine &engine);

  explicit Errors(clang::DiagnosticsEngine &engine);
  ~Errors() override;

  void stop();
  const std::vector<clang::SourceLocation> &places() const { return places_; }
  /// From where on Clang tells of no error any more, if so: behind a missing header, or too many errors. Invalid: of
  /// none at all.
  const std::optional<clang::SourceLocation> &silence() const { return silence_; }

  void BeginSourceFile(const clang::LangOptions &language, const clang::Preprocessor *preprocessor) override;
  void EndSourceFile() override;
  bool IncludeInDiagnosticCounts() const override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override;
  void clear() override;

private:
  clang::DiagnosticsEngine *engine_;
  clang::DiagnosticConsumer *next_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_; ///< `next_`, where it was the engine's own
  std::vector<clang::SourceLocation> places_;
  std::optional<clang::SourceLocation> silence_;
};

} // namespace samedevice::clangfront
