import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bytesField,
  createNode,
  createTensor,
  ELEMENT,
  type OnnxNode,
  type OnnxTensor,
  varintField,
} from '../../../src/inference/onnx-graph.js';
import { packagePath } from '../../../src/package-path.js';
import { sha256Of } from '../../../src/run/sha256.js';

const TOKENIZER_FILES = ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json'];
const NETWORK = 'onnx/model.onnx';
/** Ids of [SEP], `:` and `,` in the vocabulary of the encoder that ships with the package. */
const SEPARATORS = [102n, 1024n, 1010n];

const int64 = (name: string, values: readonly bigint[], dims: readonly number[]): OnnxTensor =>
  createTensor(name, ELEMENT.int64, dims, BigInt64Array.from(values));

/** Inputs and outputs: name, element type, names of the free dimensions. */
function valueInfo(name: string, type: number, dims: readonly string[]): Uint8Array {
  const shape = dims.map((dim) => bytesField(1, bytesField(2, dim)));
  const tensor = bytesField(1, [varintField(1, type), bytesField(2, shape)]);
  return Buffer.concat([bytesField(1, name), bytesField(2, tensor)]);
}

const toFloat = { to: ELEMENT.float };

/** For one sequence of n tokens: each stretch's share of tokens that the sequence has elsewhere, too. */
const NODES: readonly OnnxNode[] = [
  createNode('Squeeze', ['input_ids', 'first'], ['ids']),
  // Which tokens end a stretch, and how many of these are behind each token.
  createNode('Unsqueeze', ['ids', 'second'], ['ids:column']),
  createNode('Equal', ['ids:column', 'separators'], ['is separator']),
  createNode('Cast', ['is separator'], ['separator'], toFloat),
  createNode('ReduceSum', ['separator', 'second'], ['end'], { keepdims: 0 }),
  createNode('CumSum', ['end', 'first:scalar'], ['behind'], { exclusive: 1, reverse: 1 }),
  createNode('ReduceSum', ['end'], ['count'], { keepdims: 0 }),
  createNode('Range', ['zero', 'count', 'one'], ['stretch']),
  createNode('Add', ['stretch', 'one'], ['stretch:behind']),
  createNode('Unsqueeze', ['stretch:behind', 'second'], ['stretch:column']),
  createNode('Equal', ['stretch:column', 'behind'], ['is within']),
  createNode('Cast', ['is within'], ['within'], toFloat),
  createNode('Sub', ['one', 'end'], ['word']),
  createNode('Mul', ['within', 'word'], ['member']),
  // How often each token occurs besides.
  createNode('Equal', ['ids:column', 'ids'], ['is same']),
  createNode('Cast', ['is same'], ['same'], toFloat),
  createNode('ReduceSum', ['same', 'second'], ['occurrences'], { keepdims: 1 }),
  createNode('Sub', ['occurrences', 'one'], ['others']),
  createNode('Min', ['others', 'one'], ['common']),
  createNode('MatMul', ['member', 'common'], ['shared']),
  createNode('ReduceSum', ['member', 'second'], ['words'], { keepdims: 1 }),
  createNode('Max', ['words', 'one'], ['some words']),
  createNode('Div', ['shared', 'some words'], ['share']),
  createNode('Transpose', ['share'], ['logits'], { perm: [1, 0] }),
];

const CONSTANTS = [
  int64('first', [0n], [1]),
  int64('first:scalar', [0n], []),
  int64('second', [1n], [1]),
  int64('separators', SEPARATORS, [1, SEPARATORS.length]),
  createTensor('zero', ELEMENT.float, [], Float32Array.of(0)),
  createTensor('one', ELEMENT.float, [], Float32Array.of(1)),
];

function network(): Uint8Array {
  const graph = [
    ...NODES.map(({ bytes }) => bytesField(1, bytes)),
    bytesField(2, 'words in common'),
    ...CONSTANTS.map(({ bytes }) => bytesField(5, bytes)),
    bytesField(11, valueInfo('input_ids', ELEMENT.int64, ['batch', 'sequence'])),
    bytesField(12, valueInfo('logits', ELEMENT.float, ['batch', 'stretches'])),
  ];
  const opset = bytesField(8, varintField(2, 17));
  return Buffer.concat([varintField(1, 8), bytesField(7, graph), opset]);
}

/**
 * Writes the folder of a linker that knows nothing but words in common: the logit of a name is the share of its tokens
 * that its sequence has elsewhere, too.
 */
export function writeTinyLinker(folder: string, { threshold = 0.5, maxTokens = 512 } = {}): string {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, NETWORK), network());
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ architectures: ['SchemaLinker'], linker_threshold: threshold, max_position_embeddings: 512 }),
  );
  for (const name of TOKENIZER_FILES) copyFileSync(packagePath(`models/encoder/${name}`), join(folder, name));
  const files = Object.fromEntries(
    [NETWORK, 'config.json', ...TOKENIZER_FILES].map((path) => {
      const file = join(folder, path);
      return [path, { sha256: sha256Of(readFileSync(file)), bytes: statSync(file).size }];
    }),
  );
  const manifest = {
    task: 'schema-linker',
    name: 'tiny-linker',
    revision: '1',
    license: 'MIT',
    nonCommercial: false,
    made: 'by a test',
    maxTokens,
    network: NETWORK,
    threshold,
    files,
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}
