import type { Device } from './device.js';

/** The setup that a worker gets at its start. */
export interface WorkerSetup {
  readonly folder: string;
  readonly networkFile: string;
  readonly maxTokens: number;
  readonly device: Device;
}

/** One input of the network: a text, or a pair of texts. */
export interface InferenceInput {
  readonly text: string;
  readonly pair?: string;
}

export interface InferenceRequest {
  readonly id: number;
  readonly inputs: readonly InferenceInput[];
}

/** Raw output of one inference: its output tensor, that one's name and shape, and how many tokens went in. */
export interface InferenceOutput {
  readonly name: string;
  readonly data: Float32Array;
  readonly dims: readonly number[];
  readonly tokens: number;
}

/** The thing a worker can't do: run this network, or use the requested device. */
export type FailureKind = 'network' | 'device';

export type InferenceReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly outputs: readonly InferenceOutput[] }
  | {
      readonly kind: 'failed';
      readonly id: number | null;
      readonly message: string;
      readonly failure: FailureKind;
    };
