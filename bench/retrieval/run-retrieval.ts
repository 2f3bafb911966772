import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { Bm25Retriever } from '../../src/retriever/bm25-retriever.js';
import { ExactRetriever } from '../../src/retriever/exact-retriever.js';
import { HnswRetriever } from '../../src/retriever/hnsw-retriever.js';
import type { TableIndex } from '../../src/retriever/table-index.js';
import { createRng } from '../../src/seeded-rng.js';
import type { StageContext, TableRetriever } from '../../src/stage.js';
import type { BenchOutput } from '../run-bench.js';
import { openBenchIndex } from './bench-index.js';
import { readWebTables } from './held-out-tables.js';
import { measureRecall } from './measure-recall.js';
import { createTasks, type RetrievalTask } from './retrieval-tasks.js';
import {
  renderRetrievalReport,
  retrievalFigures,
  type RetrievalReport,
  type RetrievalRow,
} from './retrieval-report.js';

const SEED = 1;

interface Options {
  readonly json: boolean;
  readonly data: string;
  /** Model folders, the embedded one first. */
  readonly encoders: readonly string[];
  readonly retriever: 'exact' | 'hnsw';
  readonly work: string | null;
}

function readOptions(args: readonly string[], root: string): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        data: { type: 'string', default: join('..', 'shared', 'data') },
        encoder: { type: 'string', multiple: true, default: [] },
        retriever: { type: 'string', default: 'exact' },
        work: { type: 'string' },
      },
    });
    const { retriever, work } = values;
    if (retriever !== 'exact' && retriever !== 'hnsw') throw new Error(`--retriever ${retriever} is unknown`);
    const encoders = [join('models', 'encoder'), ...values.encoder].map((folder) => resolve(root, folder));
    const data = resolve(root, values.data);
    return { json: values.json, data, encoders, retriever, work: work === undefined ? null : resolve(root, work) };
  } catch (cause) {
    throw new ConfigError('bench:retrieval does not know this option', {
      cause,
      fix: 'Give any of: --encoder DIR (repeatable), --retriever exact|hnsw, --work DIR, --data DIR, --json.',
    });
  }
}

/** One run: its settings, tasks and clock. */
class RetrievalBench {
  readonly #options: Options;
  readonly #work: string;
  readonly #tasks: readonly RetrievalTask[];
  readonly #output: BenchOutput;
  readonly #started = Date.now();
  readonly #context: StageContext = {
    signal: new AbortController().signal,
    rngFor: (itemId) => createRng(SEED, itemId),
    emit: () => undefined,
  };

  constructor(options: Options, work: string, output: BenchOutput) {
    this.#options = options;
    this.#work = work;
    this.#tasks = createTasks(readWebTables(join(options.data, 'tables')));
    this.#output = output;
  }

  async run(): Promise<RetrievalReport> {
    const rows: RetrievalRow[] = [];
    const encoders: SentenceEncoder['model'][] = [];
    let tables = 0;
    for (const [position, folder] of this.#options.encoders.entries()) {
      const encoder = new SentenceEncoder(locateModel('table-context-encoder', folder));
      try {
        const index = await this.#openIndex(encoder);
        const isFirst = position === 0;
        for (const retriever of await this.#retrievers(index, encoder, isFirst)) {
          rows.push(...(await this.#measure(retriever, encoder.model)));
        }
        tables = index.size;
        encoders.push(encoder.model);
      } finally {
        await encoder.dispose();
      }
    }
    const machine = `${cpus()[0]?.model ?? 'unknown CPU'} × ${cpus().length}, Node ${process.versions.node}`;
    const date = new Date(this.#started).toISOString().slice(0, 10);
    return { date, machine, seconds: this.#seconds(), tables, encoders, rows };
  }

  #seconds(): number {
    return (Date.now() - this.#started) / 1000;
  }

  #tell(line: string): void {
    this.#output.tell(`${this.#seconds().toFixed(0)} s: ${line}`);
  }

  #openIndex(encoder: SentenceEncoder): Promise<TableIndex> {
    const folder = join(this.#work, encoder.model.sha256.slice(0, 12));
    const tell = (line: string): void => this.#tell(line);
    return openBenchIndex(join(this.#options.data, 'tables'), folder, encoder, this.#context.signal, tell);
  }

  /** BM25 reads the texts alone, so it is asked once. */
  async #retrievers(index: TableIndex, encoder: SentenceEncoder, isFirst: boolean): Promise<readonly TableRetriever[]> {
    const isExact = this.#options.retriever === 'exact';
    const dense = isExact ? new ExactRetriever(index, encoder) : await HnswRetriever.create(index, encoder);
    return isFirst ? [new Bm25Retriever(index), dense] : [dense];
  }

  async #measure(retriever: TableRetriever, { name, revision }: SentenceEncoder['model']): Promise<RetrievalRow[]> {
    const label = retriever.id === 'bm25' ? 'bm25' : `${retriever.id}, ${name} ${revision}`;
    const rows: RetrievalRow[] = [];
    for (const { name: task, queries } of this.#tasks) {
      const recall = await measureRecall(retriever, queries, this.#context);
      rows.push({ task, queries: queries.length, retriever: label, recall });
      this.#tell(`${label}: ${task}`);
    }
    await retriever.dispose?.();
    return rows;
  }
}

/**
 * Measures with the product's own stages how well held-out tables are found by their questions and by tables of their
 * page: the embedded encoder, those of `--encoder`, and BM25. Without the shared data it says so and does nothing.
 * Indexes are built in `--work` and kept there, else in a temporary folder. `root` is the project's folder.
 * @throws PerturbqlError when an option, a model or a data file is wrong.
 */
export async function runRetrieval(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const options = readOptions(args, root);
  const tables = join(options.data, 'tables');
  if (!existsSync(tables)) {
    output.print(`bench:retrieval skipped: no tables in ${relative(root, tables)}`);
    return;
  }
  const work = options.work ?? mkdtempSync(join(tmpdir(), 'perturbql-retrieval-'));
  try {
    const report = await new RetrievalBench(options, work, output).run();
    output.record(retrievalFigures(report));
    output.print(options.json ? JSON.stringify(report, null, 2) : renderRetrievalReport(report));
  } finally {
    if (options.work === null) rmSync(work, { recursive: true, force: true });
  }
}
