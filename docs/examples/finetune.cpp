// Fine-tuning: the pretrained network moves to the GPU, then gets a new head for the task at hand.
#include <torch/torch.h>

#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    body = register_module("body", torch::nn::Linear(64, 32));
    head = register_module("head", torch::nn::Linear(32, 1000));
  }
  torch::Tensor forward(torch::Tensor x) { return head->forward(torch::relu(body->forward(x))); }

  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net model;
  model->to(device);

  model->head = model->replace_module("head", torch::nn::Linear(32, 10));

  torch::Tensor x = torch::randn({8, 64}, device);
  std::cout << model->forward(x).sizes() << "\n";
}
