// What the plugin says of a file whose functions have their bodies in other files of the project.
#include "Tidy.h"

namespace {

class Project : public Plugin {
protected:
  void SetUp() override {
    Plugin::SetUp();
    write("setup.py", "");
    write("kernels.cu", R"(
      __global__ void encode(const float *x, const int *table, float *out) {}
      void encode_cuda(const at::Tensor &x, const at::Tensor &table, at::Tensor &out) {
        c10::cuda::CUDAGuard guard(x.device());
        encode<<<1, 32>>>(x.data_ptr<float>(), table.data_ptr<int>(), out.data_ptr<float>());
      }
      at::Tensor count_cuda(const at::Tensor &x) {
        auto counts = at::zeros({x.size(0)}, x.options().dtype(at::kInt));
        encode<<<1, 32>>>(x.data_ptr<float>(), counts.data_ptr<int>(), x.data_ptr<float>());
        return counts;
      }
      void scan_launcher(const float *x, float *out, int n) { scan<<<1, n>>>(x, out); }
    )");
  }

  /// What is said of a function of another file with a CUDA tensor `x` in hand.
  std::string said(const std::string &body) {
    return tidy(R"(#include <c10/cuda/CUDAGuard.h>
      void encode_cuda(const at::Tensor &x, const at::Tensor &table, at::Tensor &out);
      at::Tensor count_cuda(const at::Tensor &x);
      void scan_launcher(const float *x, float *out, int n);
      at::Tensor run(const at::Tensor &x) {
        TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
        auto out = at::empty_like(x);
    )" + body + " return out; }")
        .output;
  }
};

TEST_F(Project, GivesMemoryOfTheHostToAKernel) {
  const std::string output = said("auto table = torch::zeros({4}, torch::kInt); encode_cuda(x, table, out);");
  EXPECT_NE(output.find("'table' is made without a device"), std::string::npos) << output;
  EXPECT_EQ(said("auto table = torch::zeros({4}, x.options()); encode_cuda(x, table, out);"), "");
}

TEST_F(Project, LooksIntoAResultThatIsOnTheDevice) {
  const std::string output = said("auto n = count_cuda(x); int first = n.data_ptr<int>()[0];");
  EXPECT_NE(output.find("device-host-access"), std::string::npos) << output;
  EXPECT_EQ(said("auto n = count_cuda(x).cpu(); int first = n.data_ptr<int>()[0];"), "");
}

TEST_F(Project, HasStaticMethodsThatLaunch) {
  write("blur.cu", R"(
    __global__ void smear(const float *x, float *out) {}
    int image::Blur::start(const float *x, float *out, const int *radii) {
      const int radius = radii[0];
      smear<<<1, radius>>>(x, out);
      return radius;
    })");
  auto saidOf = [&](const std::string &before) {
    return tidy(R"(#include <c10/cuda/CUDAGuard.h>
      namespace image { struct Blur { static int start(const float *x, float *out, const int *radii); }; }
      at::Tensor run(const at::Tensor &x) {
        TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
        std::vector<int> radii{3, 5};
        auto out = at::empty_like(x);
    )" + before +
                "image::Blur::start(x.data_ptr<float>(), out.data_ptr<float>(), radii.data()); return out; }")
        .output;
  };
  const std::string output = saidOf("");
  EXPECT_NE(output.find("device-missing-guard"), std::string::npos) << output;
  EXPECT_EQ(saidOf("const c10::cuda::CUDAGuard guard(x.device());"), "");
}

TEST_F(Project, ReadsATensorOnTheHost) {
  write("match.cpp", "int best_cost(const at::Tensor &cost) { auto a = cost.accessor<float, 1>(); return a[0]; }");
  auto saidOf = [&](const std::string &argument) {
    return tidy("int best_cost(const at::Tensor &cost);\nint run(const at::Tensor &x) {\n"
                "TORCH_CHECK(x.is_cuda()); return best_cost(" +
                argument + "); }")
        .output;
  };
  const std::string output = saidOf("x.softmax(-1)");
  EXPECT_NE(output.find("device-host-access"), std::string::npos) << output;
  EXPECT_EQ(saidOf("x.softmax(-1).cpu()"), "");
}

TEST_F(Project, KeepsWhatItIsHandedForWriting) {
  const std::string output = said("encode_cuda(x, x, out); float first = out.data_ptr<float>()[0];");
  EXPECT_NE(output.find("device-host-access"), std::string::npos) << output;
}

TEST_F(Project, HasLaunchersThatKnowPointersOnly) {
  const std::string output = said("scan_launcher(x.data_ptr<float>(), out.data_ptr<float>(), 4);");
  EXPECT_NE(output.find("device-missing-guard"), std::string::npos) << output;
  EXPECT_EQ(
      said("c10::cuda::CUDAGuard guard(x.device()); scan_launcher(x.data_ptr<float>(), out.data_ptr<float>(), 4);")
          .find("warning"),
      std::string::npos);
}

} // namespace
