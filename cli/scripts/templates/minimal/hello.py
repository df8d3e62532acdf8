"""Says which PyTorch this is and which GPUs it sees, and adds two numbers on each."""

import torch

print(f"torch {torch.__version__}, built for HIP {torch.version.hip or 'no: this is no ROCm build'}")
if not torch.cuda.is_available():
    print("no GPU is visible to this PyTorch")
for index in range(torch.cuda.device_count()):
    total = torch.ones(1, device=f"cuda:{index}") + 1
    print(f"GPU {index}: {torch.cuda.get_device_name(index)}, 1 + 1 = {total.item():.0f}")
