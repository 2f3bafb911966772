import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CandidatesOptions } from '../../src/variants/candidates/candidates-run.js';
import type { CtaStages, TableTask } from '../../src/pipeline.js';
import type { StageContext } from '../../src/stage.js';
import { importBuilt } from './built-product.js';
import { createWordTables, type Morphology } from './word-tables.js';

/** What the two versions work on, counted. */
export interface InputSize {
  readonly databases: number;
  readonly tables: number;
  readonly columns: number;
}

interface Exporter {
  readonly stages: CtaStages;
  readonly context: StageContext;
  readonly renderTargetQuery: (target: TableTask['target']) => string;
}

/** One table with its primary entity, its text for retrieval, and the dictionary's names for its columns. */
async function exportTable({ target, columns }: TableTask, exporter: Exporter): Promise<ExportedTable> {
  const { stages, context, renderTargetQuery } = exporter;
  const [tpe] = await stages.tpe.predict([target], context);
  const targets = columns.map((column) => ({ target, column }));
  const proposed = await stages.sources.dictionary!.propose(targets, context);
  return {
    db_id: target.dbId,
    name: target.table.name,
    originalName: target.table.originalName,
    tpe: tpe!,
    context: renderTargetQuery(target),
    columns: target.table.columns.map(({ name, originalName, type }) => ({ name, originalName, type })),
    targets: columns.map((column, i) => ({ column, dictionary: proposed[i]!.map(({ name }) => name) })),
  };
}

interface ExportedTable {
  readonly db_id: string;
  readonly name: string;
  readonly originalName: string;
  readonly tpe: string;
  readonly context: string;
  readonly columns: readonly { readonly name: string; readonly originalName: string; readonly type: string }[];
  readonly targets: readonly { readonly column: number; readonly dictionary: readonly string[] }[];
}

function namesOf(table: ExportedTable): readonly string[] {
  return [table, ...table.columns]
    .flatMap(({ name, originalName }) => [name, originalName])
    .concat(table.targets.flatMap(({ dictionary }) => dictionary));
}

type Modules = [
  typeof import('../../src/variants/candidates/candidates-run.js'),
  typeof import('../../src/run/run-host.js'),
  typeof import('../../src/retriever/table-context.js'),
  typeof import('../../src/retriever/top-k.js'),
  Pick<Morphology, 'possibleBaseForms'>,
  Pick<Morphology, 'expandAbbreviations'>,
];

async function importModules(root: string): Promise<Modules> {
  const paths =
    'variants/candidates/candidates-run run/run-host retriever/table-context retriever/top-k dictionary/morphology schema/abbreviations';
  return (await Promise.all(paths.split(' ').map((path) => importBuilt(root, `${path}.js`)))) as Modules;
}

/**
 * Writes what the Python version reads: tables, primary entities, retrieval texts, the dictionary's names, settings.
 * Primary entities and dictionary names are inputs in it, so that both versions have the same candidates.
 */
export async function exportInput(root: string, options: CandidatesOptions, file: string): Promise<InputSize> {
  const [{ CandidatesRun }, host, tableContext, topK, morphology, abbreviations] = await importModules(root);
  const run = await CandidatesRun.open(options, host.NOOP_HOST);
  try {
    const context = host.createStageContext(options.seed, host.NOOP_HOST);
    const stages = await run.loadStages(host.NOOP_HOST);
    const exporter = { stages, context, renderTargetQuery: tableContext.renderTargetQuery };
    const tables: ExportedTable[] = [];
    for (const task of run.plan.tasks) tables.push(await exportTable(task, exporter));
    const index = await run.resources.index();
    const indexed = [...index.tables()].flatMap(({ columns }) => columns);
    const { rplMin, addMax } = run.resources.thresholds();
    const input = {
      nli: run.resources.nliModel().folder,
      encoder: run.resources.encoderModel().folder,
      index: index.folder,
      vectors: join(root, 'data', 'word-vectors', 'retrofitted-glove.pqv'),
      thresholds: { rplMin, addMax },
      topK: topK.defaultTopK(index.size),
      keep: run.resources.keep,
      words: createWordTables([...indexed, ...tables.flatMap(namesOf)], { ...morphology, ...abbreviations }),
      tables,
    };
    writeFileSync(file, JSON.stringify(input));
    const databases = new Set(tables.map(({ db_id }) => db_id)).size;
    return { databases, tables: tables.length, columns: run.columnCount };
  } finally {
    await run.dispose();
  }
}
