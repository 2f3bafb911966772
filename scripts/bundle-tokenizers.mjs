// Bundles the tokenizers of transformers.js into dist/inference/transformers.js. The package itself brings a runtime for
// browsers and an image library that no tokenizer needs; with the bundle, only a checkout installs it.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licenseTexts, manifestOf } from './license-texts.mjs';

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL('../dist/inference/transformers.js', import.meta.url));

// The package's entry is one file with everything; its sources, a file each, leave out what isn't imported.
const entry = realpathSync(require.resolve('@xenova/transformers'));
const sources = join(dirname(entry), '../src');
const { name, version, license } = manifestOf(join(sources, '..'));

/** Packages that the sources import at their top and no tokenizer calls. */
const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:sharp|onnxruntime-web)(?:\/|$)/ }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'export default {};' }));
  },
};

const { metafile } = await build({
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
  banner: { js: `/* Holds the tokenizers of ${name} ${version}, ${license}: see transformers.licenses.txt. */` },
  metafile: true,
  logLevel: 'warning',
});

/** The package that a file belongs to: the nearest folder above it whose manifest names one. */
function packageOf(file) {
  let folder = dirname(resolve(file));
  while (!existsSync(join(folder, 'package.json')) || manifestOf(folder).name === undefined) folder = dirname(folder);
  return folder;
}

function noticeOf(folder) {
  const manifest = manifestOf(folder);
  return [`${manifest.name} ${manifest.version}, ${manifest.license}`, ...licenseTexts(folder)].join('\n\n');
}

// The licenses of all whose code is in the bundle.
const [{ inputs }] = Object.values(metafile.outputs);
const files = Object.keys(inputs).filter((file) => existsSync(file) && inputs[file].bytesInOutput > 0);
const packages = [...new Set(files.map(packageOf))].sort();
writeFileSync(target.replace(/js$/, 'licenses.txt'), `${packages.map(noticeOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
