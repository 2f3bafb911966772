import { parquetWriteBuffer } from 'hyparquet-writer';
import { VERSION } from '../../version.js';
import { renderJsonLines } from '../json-output.js';
import { OUTPUT_KINDS, type OutputFolder, type OutputKind, type OutputSet, type OwnFields } from '../output-set.js';
import { type ExportRow, exportRows } from './export-row.js';
import { splitNamed } from './split-name.js';

const FIELDS = [
  'id',
  'source_id',
  'kind',
  'db_id',
  'original_db_id',
  'question',
  'query',
  'original_query',
  'schema',
] as const satisfies readonly (keyof ExportRow)[];

/** The data set's own fields. */
interface OwnFieldsOption {
  readonly fieldsOf: OwnFields;
}

/** Rows per row group: readers stream a file group by group. */
const ROWS_PER_GROUP = 10_000;

/** The kinds that have a file: mutants only where there are some. */
function kindsOf(set: OutputSet): readonly OutputKind[] {
  const hasMutants = [...set.examples()].some(({ kind }) => kind === 'mutant');
  return OUTPUT_KINDS.filter((kind) => kind !== 'mutant' || hasMutants);
}

/** The data set card: a configuration per kind, and one of all. */
function renderCard(set: OutputSet, extension: string, hasFields: boolean): string {
  const [first] = set.input.examples();
  const split = splitNamed(first?.id.split(':')[0] ?? '');
  const config = (name: string, path: string): string[] => [
    `- config_name: ${name}`,
    ...(name === 'all' ? ['  default: true'] : []),
    '  data_files:',
    `  - split: ${split}`,
    `    path: ${path}`,
  ];
  const kinds = kindsOf(set).map((kind) => kind.toLowerCase());
  const hasMutants = kinds.includes('mutant');
  return [
    '---',
    'task_categories:',
    '- table-question-answering',
    'tags:',
    '- text-to-sql',
    '- perturbql',
    'configs:',
    ...config('all', `data/*.${extension}`),
    ...kinds.flatMap((kind) => config(kind, `data/${kind}.${extension}`)),
    '---',
    '',
    `# ${set.input.format}, perturbed`,
    '',
    `Written by perturbql ${VERSION}. \`original\` holds the questions as they were, \`rpl\` the same against tables whose`,
    'columns were replaced by synonyms, `add` against tables with associated columns added; the gold SQL is rewritten.',
    ...(hasMutants
      ? ['`mutant` holds questions in other words, and questions of schemas that changed otherwise.']
      : []),
    '',
    '| field | meaning |',
    '| --- | --- |',
    '| `id` | distinct in the data set |',
    '| `source_id` | the example that it is or was made from |',
    `| \`kind\` | \`original\`, \`RPL\`${hasMutants ? ', `ADD` or `mutant`' : ' or `ADD`'} |`,
    '| `db_id`, `original_db_id` | its database, and the one that was made from |',
    `| \`question\` | ${hasMutants ? 'a mutant’s may have other words' : 'unchanged'} |`,
    '| `query`, `original_query` | gold SQL on this schema, and on the original one |',
    '| `schema` | the tables as CREATE TABLE statements |',
    ...(hasFields ? ['| `fields` | fields of the data set’s own, as a JSON object |'] : []),
    '',
  ].join('\n');
}

function* rowsOf(set: OutputSet, kind: ExportRow['kind'], fieldsOf: OwnFields): Generator<ExportRow> {
  for (const row of exportRows(set, fieldsOf)) if (row.kind === kind) yield row;
}

function hasFieldsIn(set: OutputSet, fieldsOf: OwnFields): boolean {
  const [first] = exportRows(set, fieldsOf);
  return first?.fields !== undefined;
}

/** `jsonl/`: a folder in the layout of Hugging Face's `datasets`, a JSON line per question. */
export function exportJsonl(set: OutputSet, folder: OutputFolder, { fieldsOf }: OwnFieldsOption): void {
  for (const kind of kindsOf(set)) {
    folder.write(`jsonl/data/${kind.toLowerCase()}.jsonl`, renderJsonLines(rowsOf(set, kind, fieldsOf)));
  }
  folder.write('jsonl/README.md', renderCard(set, 'jsonl', hasFieldsIn(set, fieldsOf)));
}

function parquetOf(set: OutputSet, kind: ExportRow['kind'], fieldsOf: OwnFields): Uint8Array {
  const names: readonly (keyof ExportRow)[] = hasFieldsIn(set, fieldsOf) ? [...FIELDS, 'fields'] : FIELDS;
  const columns = names.map((name) => ({ name, data: [] as string[], type: 'STRING' as const, nullable: false }));
  for (const row of rowsOf(set, kind, fieldsOf)) {
    for (const { name, data } of columns) data.push(row[name] ?? '');
  }
  return new Uint8Array(parquetWriteBuffer({ columnData: columns, rowGroupSize: ROWS_PER_GROUP }));
}

/** `parquet/`: the same as Parquet files. */
export function exportParquet(set: OutputSet, folder: OutputFolder, { fieldsOf }: OwnFieldsOption): void {
  for (const kind of kindsOf(set)) {
    folder.write(`parquet/data/${kind.toLowerCase()}.parquet`, [parquetOf(set, kind, fieldsOf)]);
  }
  folder.write('parquet/README.md', renderCard(set, 'parquet', hasFieldsIn(set, fieldsOf)));
}
