/** Where networks run: the execution providers of ONNX Runtime, by flag. */
export const DEVICES = ['cpu', 'cuda', 'dml', 'coreml', 'webgpu'] as const;
export type Device = (typeof DEVICES)[number];

/** The requirements of each device besides this package. */
export const DEVICE_NEEDS: Readonly<Record<Device, string>> = {
  cpu: 'nothing',
  cuda: 'Linux, an NVIDIA GPU with CUDA 12 and cuDNN 9, and onnxruntime-node installed with its CUDA libraries (`ONNXRUNTIME_NODE_INSTALL=cuda12 node node_modules/onnxruntime-node/script/install.js`)',
  dml: 'Windows with a DirectX 12 GPU',
  coreml: 'macOS on Apple silicon',
  webgpu: 'a GPU that Vulkan, Metal or DirectX 12 can reach',
};

/**
 * Marks a fingerprint with the device: kernels of another one give other last digits, the CPU's is the unmarked one.
 */
export function markDevice(fingerprint: string, device: Device): string {
  return device === 'cpu' ? fingerprint : `${fingerprint}@${device}`;
}
