import { formatCount } from '../counts.js';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { causeText } from '../cause-text.js';
import { PerturbqlError } from '../errors.js';
import { z } from 'zod';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';

interface Finding {
  readonly what: string;
  /** `missing`: perturbql works without it, slower or with less. */
  readonly state: 'ok' | 'missing' | 'broken';
  readonly detail: string;
  readonly fix?: string;
}

const require = createRequire(import.meta.url);
const OLDEST_NODE = [20, 12] as const;
const COMPILER =
  'Install a C++ compiler, make and Python 3, then run `npm rebuild`; Debian: apt-get install build-essential python3.';

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  const fix = { fix: `Install Node ${OLDEST_NODE.join('.')} or newer.` };
  return { what: 'node', state: ok ? 'ok' : 'broken', detail: process.versions.node, ...(ok ? {} : fix) };
}

/** Looks a package up without loading it: a native module that crashes would take the doctor with it. */
function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The first line of what an error says. */
const causeOf = (error: unknown): string => causeText(error).replace(/\n.*/su, '');

async function checkNative(name: string, load: () => Promise<unknown>, optional?: string): Promise<Finding> {
  const bad = optional === undefined ? 'broken' : 'missing';
  if (!isInstalled(name))
    return { what: name, state: bad, detail: `not installed${optional ?? ''}`, fix: `Run \`npm install ${name}\`.` };
  try {
    await load();
    return { what: name, state: 'ok', detail: 'loads' };
  } catch (error) {
    return { what: name, state: bad, detail: `${causeOf(error)}${optional ?? ''}`, fix: COMPILER };
  }
}

async function guarded(what: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { what, state: 'ok', detail: await check() };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) {
      return {
        what,
        state: 'broken',
        detail: causeOf(error),
        fix: 'Fix the modules above first, then run `perturbql doctor` again.',
      };
    }
    const where = error.where.file === undefined ? '' : ` (${error.where.file})`;
    return { what, state: 'broken', detail: `${error.message}${where}`, fix: error.fix };
  }
}

async function checkSqlite(): Promise<string> {
  const [{ sqliteDriver }, { sqliteVersion }] = await Promise.all([
    import('../sql/execution/open-connection.js'),
    import('../testsuite/suite/sqlite-version.js'),
  ]);
  return `${sqliteDriver().name}, SQLite ${sqliteVersion()}`;
}

async function checkModel(task: 'nli' | 'table-context-encoder'): Promise<string> {
  const { checkModelFiles, locateModel } = await import('../inference/model-store.js');
  const model = locateModel(task);
  await checkModelFiles(model);
  const { name, revision, nonCommercial } = model.manifest;
  return `${name} ${revision}, sha256 ${model.sha256.slice(0, 12)}${nonCommercial ? ', non-commercial weights' : ''}`;
}

/** Opens the models that check their hashes themselves. */
async function checkFixedModels(): Promise<readonly Finding[]> {
  const { FIXED_MODELS } = await import('./fixed-models.js');
  return Promise.all(
    FIXED_MODELS.map(({ word, manifest, open }) =>
      guarded(`model: ${word}`, () => {
        const { name, revision } = manifest();
        return Promise.resolve(`${name} ${revision}, sha256 ${open().fingerprint.slice(0, 12)}`);
      }),
    ),
  );
}

async function checkIndex(): Promise<string> {
  const [{ openIndex }, { embeddedIndexFolder }, { SentenceEncoder }, { locateModel }] = await Promise.all([
    import('../retriever/open-index.js'),
    import('../recipes/stage-resources.js'),
    import('../inference/sentence-encoder.js'),
    import('../inference/model-store.js'),
  ]);
  // Its files are checked against the manifest; the encoder is asked for its name only and starts nothing.
  const index = await openIndex(embeddedIndexFolder(), new SentenceEncoder(locateModel('table-context-encoder')));
  return `${formatCount(index.size)} tables`;
}

async function checkVectors(): Promise<string> {
  const [{ VectorFile }, { embeddedVectorsPath }] = await Promise.all([
    import('../reranker/vector-file.js'),
    import('../reranker/embedded-vectors.js'),
  ]);
  const vectors = await VectorFile.open(embeddedVectorsPath());
  return `${vectors.name}, ${formatCount(vectors.count)} terms`;
}

async function checkWordNet(): Promise<string> {
  const { wordnetFolder } = await import('../dictionary/wordnet-reader.js');
  const folder = wordnetFolder();
  if (!existsSync(folder)) throw new Error(`no such folder: ${folder}`);
  return folder;
}

/** Opens the judge's cache as a run does, and tries a write. */
async function checkScoreCache(): Promise<Finding> {
  const what = 'score cache';
  const warnings: string[] = [];
  const finding = await guarded(what, async () => {
    const [{ defaultCacheFolder, openScoreCache }, { locateModel }] = await Promise.all([
      import('../run/score-cache.js'),
      import('../inference/model-store.js'),
    ]);
    const cache = openScoreCache(undefined, locateModel('nli').fingerprint, (message) => void warnings.push(message));
    cache?.tryWriting();
    cache?.close();
    return defaultCacheFolder();
  });
  const [detail] = warnings;
  if (detail === undefined) return finding;
  return { what, state: 'missing', detail, fix: 'Remove it, or name a folder that you may write to: PERTURBQL_CACHE.' };
}

async function examine(): Promise<readonly Finding[]> {
  return [
    checkNode(),
    await guarded('sqlite', checkSqlite),
    await checkNative('onnxruntime-node', () => import('onnxruntime-node')),
    await checkNative('hnswlib-node', () => import('hnswlib-node'), '; the exact retriever serves instead'),
    await guarded('model: judge', () => checkModel('nli')),
    await guarded('model: encoder', () => checkModel('table-context-encoder')),
    ...(await checkFixedModels()),
    await guarded('index', checkIndex),
    await guarded('word vectors', checkVectors),
    await guarded('wordnet', checkWordNet),
    await checkScoreCache(),
  ];
}

/** Some part that perturbql can't do without is broken. */
class DoctorError extends PerturbqlError {
  readonly code = 'NATIVE_MODULE';
}

/** `perturbql doctor`. */
export const command = defineCommand({
  options: z.object({ ...JSON_OPTION }),
  example: 'perturbql doctor',
  readsConfig: false,
  async run({ json }) {
    const findings = await examine();
    const lines = findings.flatMap(({ what, state, detail, fix }) => [
      `${state.padEnd(8)}${what.padEnd(21)}${detail}`,
      ...(fix === undefined ? [] : [`${''.padEnd(29)}fix: ${fix}`]),
    ]);
    const broken = findings.filter(({ state }) => state === 'broken').length;
    if (broken === 0) return { json: findings, lines };
    console.log(json ? JSON.stringify(findings, null, 2) : lines.join('\n'));
    throw new DoctorError(`${broken} of ${findings.length} checks failed`, {
      fix: 'Fix what is marked broken above.',
    });
  },
});
