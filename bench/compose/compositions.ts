import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { goldHardness } from '../../src/cli/compose-parts.js';
import type { AlignedQuestion } from '../../src/compositional/align/aligned-question.js';
import type { JoinKey } from '../../src/compositional/clauses/join-keys.js';
import { joinKeysOf } from '../../src/compositional/clauses/join-keys.js';
import { AnnotatedSource } from '../../src/compositional/compose/annotated-source.js';
import { AutomaticSource } from '../../src/compositional/compose/automatic-source.js';
import type { AlignedSource } from '../../src/compositional/compose/aligned-source.js';
import { composeDrafts, draftsOf, emptyTally } from '../../src/compositional/compose/compose-database.js';
import { type ComposedDatabase, DatabaseComposer } from '../../src/compositional/compose/compose-questions.js';
import type { CompositionRule } from '../../src/compositional/compose/composition-rule.js';
import { APPENDIX_A_RULES, COMPOSITION_RULES } from '../../src/compositional/compose/composition-rules.js';
import { goldFilesIn } from '../../src/compositional/compose/compose-run.js';
import { elementOf } from '../../src/compositional/compose/element.js';
import { ExecutedGolds } from '../../src/compositional/compose/gold-results.js';
import { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import { type Dataset, PATH_DEFAULTS } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { groupBy } from '../../src/run/group-by.js';
import { SILENT_HOST } from '../../src/run/run-host.js';
import type { Database } from '../../src/schema/schema.js';
import { sqlOf } from '../../src/compositional/clauses/write-clauses.js';
import { SqlRewriteError } from '../../src/errors.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';

/** The paper's counts and shares by hardness on dev (§3.1, Table 3). */
const PAPER = {
  SUB: { total: 2883, easy: 37.6, medium: 38.4, hard: 12.0, extra: 12.0 },
  APP: { total: 3237, easy: 2.4, medium: 44.3, hard: 22.9, extra: 30.4 },
} as const;
const KINDS = ['SUB', 'APP'] as const;
const LEVELS = ['easy', 'medium', 'hard', 'extra'] as const;

/** The questions of one database, aligned. */
interface AlignedDatabase {
  readonly database: Database;
  readonly keys: readonly JoinKey[];
  readonly questions: readonly AlignedQuestion[];
}

/** Every question of a data set, aligned. */
async function alignAll(dataset: Dataset, source: AlignedSource): Promise<readonly AlignedDatabase[]> {
  const aligned: AlignedDatabase[] = [];
  for (const [id, examples] of groupBy([...dataset.examples()], ({ dbId }) => dbId)) {
    const database = dataset.databases.get(id);
    if (database === undefined) continue;
    const golds = examples.map(({ query }) => query);
    const keys = joinKeysOf(database, golds);
    const { questions } = await source.align(examples, database, keys, dataset);
    aligned.push({ database, keys, questions: questions.filter((one) => one.confidence >= source.minConfidence) });
  }
  return aligned;
}

/** What is composed of aligned questions by rules, executed or not. */
async function composeAll(
  aligned: readonly AlignedDatabase[],
  rules: readonly CompositionRule[],
  golds: ExecutedGolds | null,
): Promise<readonly ComposedDatabase[]> {
  const made: ComposedDatabase[] = [];
  for (const { database, keys, questions } of aligned) {
    const settings = { rules, kinds: KINDS, depth: 1, allowEmpty: false, minConfidence: 0, golds };
    const composer = new DatabaseComposer(database, keys, { ...settings, hardnessOf: goldHardness });
    made.push(await composer.compose(questions));
    golds?.forget();
  }
  return made;
}

/** Compositions with their SQL in a CPU second, apart from reading, alignment, hardness and execution. */
function compositionRate(aligned: readonly AlignedDatabase[]): { readonly made: number; readonly rate: number } {
  const before = process.cpuUsage();
  let made = 0;
  for (const { database, keys, questions } of aligned) {
    const elements = questions.flatMap((question) => elementOf(question, database) ?? []);
    for (const { aligned: child } of composeDrafts(
      draftsOf(elements, elements),
      COMPOSITION_RULES,
      new Set(),
      emptyTally(),
    )) {
      try {
        if (sqlOf(child.query, database, keys) !== '') made++;
      } catch (error) {
        if (!(error instanceof SqlRewriteError)) throw error;
      }
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { made, rate: made / ((user + system) / 1e6) };
}

interface CountedSet {
  readonly total: number;
  readonly shares: Readonly<Record<string, number>>;
}

function countKind(made: readonly ComposedDatabase[], kind: (typeof KINDS)[number]): CountedSet {
  const own = made.flatMap(({ examples }) => examples.filter((example) => example.kind === kind));
  const share = (level: string): number =>
    own.length === 0 ? 0 : (own.filter(({ hardness }) => hardness === level).length / own.length) * 100;
  return { total: own.length, shares: Object.fromEntries(LEVELS.map((level) => [level, share(level)])) };
}

const COLUMNS = {
  total: { head: 'questions', decimals: 0 },
  factor: { head: 'of the paper’s', decimals: 2 },
  ...Object.fromEntries(LEVELS.map((level) => [level, { head: `${level}, %`, decimals: 1 }])),
};

/** Counts next to the paper's: by its rules alone, and by all of ours with execution. */
async function measureCompositions(
  dataset: Dataset,
  sources: Readonly<Record<string, AlignedSource>>,
  tell: (line: string) => void,
): Promise<FigureTable> {
  const rows: Record<string, Record<string, number | null>> = {};
  for (const kind of KINDS) rows[`paper-${kind}`] = { ...PAPER[kind], factor: 1 };
  const scratch = mkdtempSync(join(tmpdir(), 'compose-'));
  const examples = groupBy([...dataset.examples()], ({ dbId }) => dbId);
  const golds = new ExecutedGolds(goldFilesIn({ dataset, examples }, scratch), SILENT_HOST);
  try {
    for (const [name, source] of Object.entries(sources)) {
      const aligned = await alignAll(dataset, source);
      compositionRate(aligned); // what is compiled first is not measured
      const { made, rate } = compositionRate(aligned);
      tell(`${name}: ${made} compositions, ${Math.round(rate)} a CPU second`);
      const sets = {
        [`${name}-appendix-a`]: await composeAll(aligned, APPENDIX_A_RULES, null),
        [name]: await composeAll(aligned, COMPOSITION_RULES, golds),
      };
      for (const [set, composed] of Object.entries(sets)) {
        for (const kind of KINDS) {
          const { total, shares } = countKind(composed, kind);
          rows[`${set}-${kind}`] = { total, factor: total / PAPER[kind].total, ...shares };
        }
      }
      rows[`${name}-rate`] = { total: rate };
    }
  } finally {
    await golds.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  return {
    id: 'compositions',
    title: 'Compositions of Spider dev',
    about:
      'Questions composed of Spider dev by kind, next to Spider-CG’s (§3.1, Table 3): from Spider-SS’s own annotation (`annotated`) and from our parser, splitter and aligner (`automatic`); by the paper’s rules alone (`appendix-a`), and by all rules with execution. `rate`: compositions with SQL in a CPU second, by all rules without execution.',
    columns: COLUMNS,
    rows,
  };
}

/** Compositions of Spider dev from Spider-SS's annotation and from automatic alignment. */
export async function runCompositionsBench(
  args: readonly string[],
  root: string,
  { print, tell, record }: BenchOutput,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' } } });
  const data = resolve(root, values.data ?? '../shared/data');
  const dataset = await loadDataset({
    ...PATH_DEFAULTS,
    tables: join(data, 'spider/tables.json'),
    examples: join(data, 'spider/dev.json'),
    databases: join(data, 'spider/database'),
  });
  const parser = await EnglishParser.open();
  const annotated = new AnnotatedSource(join(data, 'spider-ss/dev.json'));
  const automatic = new AutomaticSource(parser);
  try {
    const table = await measureCompositions(dataset, { annotated, automatic }, tell);
    print(JSON.stringify(table.rows, null, 2));
    record(table);
  } finally {
    await parser.close();
  }
}
