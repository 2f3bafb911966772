import { formatCount } from '../../counts.js';
import { VERSION } from '../../version.js';
import { renderJsonLines } from '../json-file.js';
import {
  keepsGold,
  OUTPUT_KINDS,
  type OutputFolder,
  type OutputKind,
  type OutputSet,
  type OwnFields,
} from '../output-set.js';
import { type ExportRow, exportRows } from './export-row.js';
import { type ParquetField, parquetChunks } from './parquet-chunks.js';
import { splitOf } from './export-names.js';

const FIELDS = {
  id: 'text',
  source_id: 'text',
  kind: 'text',
  db_id: 'text',
  original_db_id: 'text',
  question: 'text',
  query: 'text',
  original_query: 'text',
  schema: 'text',
} as const satisfies Partial<Record<keyof ExportRow, ParquetField>>;

/** The data set's own fields. */
interface OwnFieldsOption {
  readonly fieldsOf: OwnFields;
}

interface KindCount {
  readonly rows: number;
  /** Those with renamed columns whose gold SQL is the original's. */
  readonly goldUnchanged: number;
}

/** Rows of each kind that has a file: mixed variants and mutants only where there are some. */
function countKinds(set: OutputSet): ReadonlyMap<OutputKind, KindCount> {
  const counts = new Map(OUTPUT_KINDS.map((kind): [OutputKind, KindCount] => [kind, { rows: 0, goldUnchanged: 0 }]));
  for (const { kind, query, source } of set.examples()) {
    const { rows = 0, goldUnchanged = 0 } = counts.get(kind) ?? {};
    const isUnchanged = keepsGold(kind, query, source.query);
    counts.set(kind, { rows: rows + 1, goldUnchanged: goldUnchanged + (isUnchanged ? 1 : 0) });
  }
  for (const kind of ['mixed', 'mutant'] as const) if (counts.get(kind)?.rows === 0) counts.delete(kind);
  return counts;
}

/** How many rows have renamed columns that their gold SQL does not name. */
function unchangedLines(counts: ReadonlyMap<OutputKind, KindCount>): readonly string[] {
  const parts = [...counts].flatMap(([kind, { rows, goldUnchanged }]) =>
    goldUnchanged === 0
      ? []
      : [`${formatCount(goldUnchanged)} of the ${formatCount(rows)} rows of \`${kind.toLowerCase()}\``],
  );
  if (parts.length === 0) return [];
  return [
    '',
    `${parts.join(' and ')} keep the gold SQL of their original (\`query\` is \`original_query\`), as it names no renamed column.`,
  ];
}

/** Rows of a Parquet file: sets of more get several, as loaders read files side by side. */
const ROWS_PER_FILE = 100_000;

/** The data set card: a configuration per kind, and one of all; `suffix` is what comes after a kind in file names. */
function renderCard(
  set: OutputSet,
  counts: ReadonlyMap<OutputKind, KindCount>,
  extension: string,
  { hasFields, suffix = '' }: { readonly hasFields: boolean; readonly suffix?: string },
): string {
  const split = splitOf(set);
  const config = (name: string, path: string): string[] => [
    `- config_name: ${name}`,
    ...(name === 'all' ? ['  default: true'] : []),
    '  data_files:',
    `  - split: ${split}`,
    `    path: ${path}`,
  ];
  const kinds = Array.from(counts.keys(), (kind) => kind.toLowerCase());
  const hasMutants = kinds.includes('mutant');
  const made = ['`RPL`', '`ADD`', ...(kinds.includes('mixed') ? ['`mixed`'] : []), ...(hasMutants ? ['`mutant`'] : [])];
  return [
    '---',
    'task_categories:',
    '- table-question-answering',
    'tags:',
    '- text-to-sql',
    '- perturbql',
    'configs:',
    ...config('all', `data/*.${extension}`),
    ...kinds.flatMap((kind) => config(kind, `data/${kind}${suffix}.${extension}`)),
    '---',
    '',
    `# ${set.input.format}, perturbed`,
    '',
    `Written by perturbql ${VERSION}. \`original\` holds the questions as they were, \`rpl\` the same against tables whose`,
    'columns were replaced by synonyms, `add` against tables with associated columns added; the gold SQL is rewritten.',
    ...(kinds.includes('mixed') ? ['`mixed` holds the same against tables with both.'] : []),
    ...(hasMutants
      ? ['`mutant` holds questions in other words, and questions of schemas that changed otherwise.']
      : []),
    ...unchangedLines(counts),
    '',
    '| field | meaning |',
    '| --- | --- |',
    '| `id` | distinct in the data set |',
    '| `source_id` | the example that it is or was made from |',
    `| \`kind\` | \`original\`, ${made.slice(0, -1).join(', ')} or ${made.at(-1) ?? ''} |`,
    '| `db_id`, `original_db_id` | its database, and the one that was made from |',
    `| \`question\` | ${hasMutants ? 'a mutant’s may have other words' : 'unchanged'} |`,
    '| `query`, `original_query` | gold SQL on this schema, and on the original one |',
    '| `schema` | the tables as CREATE TABLE statements |',
    ...(hasFields ? ['| `fields` | fields of the data set’s own, as a JSON object |'] : []),
    '',
  ].join('\n');
}

function hasFieldsIn(set: OutputSet, fieldsOf: OwnFields): boolean {
  const [first] = exportRows(set, fieldsOf, 'original');
  return first?.fields !== undefined;
}

/** `jsonl/`: a folder in the layout of Hugging Face's `datasets`, a JSON line per question. */
export function exportJsonl(set: OutputSet, folder: OutputFolder, { fieldsOf }: OwnFieldsOption): void {
  const counts = countKinds(set);
  for (const kind of counts.keys()) {
    folder.write(`jsonl/data/${kind.toLowerCase()}.jsonl`, renderJsonLines(exportRows(set, fieldsOf, kind)));
  }
  folder.write('jsonl/README.md', renderCard(set, counts, 'jsonl', { hasFields: hasFieldsIn(set, fieldsOf) }));
}

const padded = (number: number): string => String(number).padStart(5, '0');

/** Names of a kind's files as Hugging Face has them: one, or `rpl-00000-of-00003.parquet` and so on. */
function filesOf(kind: string, rows: number): readonly string[] {
  const count = Math.max(1, Math.ceil(rows / ROWS_PER_FILE));
  if (count === 1) return [`parquet/data/${kind}.parquet`];
  return Array.from({ length: count }, (_, i) => `parquet/data/${kind}-${padded(i)}-of-${padded(count)}.parquet`);
}

function* firstOf<T>(items: Iterator<T, void>, most: number): Generator<T> {
  for (let i = 0; i < most; i++) {
    const next = items.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** `parquet/`: the same as Parquet files. */
export function exportParquet(set: OutputSet, folder: OutputFolder, { fieldsOf }: OwnFieldsOption): void {
  const hasFields = hasFieldsIn(set, fieldsOf);
  const fields: Partial<Record<keyof ExportRow, ParquetField>> = hasFields ? { ...FIELDS, fields: 'text' } : FIELDS;
  const counts = countKinds(set);
  for (const [kind, count] of counts) {
    const rows = exportRows(set, fieldsOf, kind);
    for (const file of filesOf(kind.toLowerCase(), count.rows)) {
      folder.write(file, parquetChunks(firstOf(rows, ROWS_PER_FILE), fields));
    }
  }
  const isCut = [...counts.values()].some(({ rows }) => rows > ROWS_PER_FILE);
  folder.write('parquet/README.md', renderCard(set, counts, 'parquet', { hasFields, suffix: isCut ? '*' : '' }));
}
