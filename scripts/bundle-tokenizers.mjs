// Bundles the tokenizers of transformers.js into dist/inference/transformers.js. The package itself brings a runtime for
// browsers and an image library that no tokenizer needs; with the bundle, only a checkout installs it.
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL('../dist/inference/transformers.js', import.meta.url));

// The package's entry is one file with everything; its sources, a file each, leave out what isn't imported.
const entry = realpathSync(require.resolve('@xenova/transformers'));
const sources = join(dirname(entry), '../src');
const { name, version, license } = JSON.parse(readFileSync(join(sources, '../package.json'), 'utf8'));

/** Packages that the sources import at their top and no tokenizer calls. */
const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:sharp|onnxruntime-web)(?:\/|$)/ }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'export default {};' }));
  },
};

await build({
  stdin: {
    contents: `export { AutoTokenizer } from './models/auto/tokenization_auto.js'; export { env } from './env.js';`,
    resolveDir: sources,
  },
  outfile: target,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  external: ['onnxruntime-node'],
  plugins: [unused],
  banner: { js: `/* Holds the tokenizers of ${name} ${version}, ${license}: see THIRD-PARTY-NOTICES.md. */` },
  logLevel: 'warning',
});
