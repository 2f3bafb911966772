// What stands for onnxruntime-node: ONNX Runtime in WebAssembly, on one thread, which asks for no special headers.
import * as ort from 'onnxruntime-web/wasm';
import { bytesOf } from './node/file-map.js';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: new URL('./runtime.wasm', self.location.href).href };

type Options = ort.InferenceSession.SessionOptions;

export const InferenceSession = {
  create: (network: string | Uint8Array, options: Options): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(typeof network === 'string' ? bytesOf(network) : network, options),
};

export function listSupportedBackends(): readonly { readonly name: string }[] {
  return [{ name: 'cpu' }];
}

export { Tensor } from 'onnxruntime-web/wasm';
