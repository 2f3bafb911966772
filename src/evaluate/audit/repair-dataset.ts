import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import { databaseOf, type Dataset, type DatasetExample, groupExamples } from '../../formats/dataset.js';
import type { InteractionPart, InteractionRecord } from '../../formats/interaction-dataset.js';
import { datasetAdapter } from '../../formats/load-dataset.js';
import { type OutputFolder, type OutputSchema, type OutputSet, samePositions } from '../../formats/output-set.js';
import { queryField, type QuestionRecord } from '../../formats/question-file.js';
import { recordWithQuery } from '../../formats/query-fields.js';
import { writeSpiderDataset } from '../../formats/spider-output.js';
import { mustGet } from '../../present.js';
import { writeDurably } from '../../run/durable-file.js';
import { groupBy } from '../../run/group-by.js';
import { isFreeFolder } from '../../run/working-folders.js';
import type { Database } from '../../schema/schema.js';
import { AUDIT_CLASSES } from './audit-classes.js';
import type { AuditFinding } from './finding.js';

/** Formats whose files hold structures instead of SQL. */
const WITHOUT_SQL = new Set(['wikisql', 'squall']);

/**
 * Checks that a data set can be written with repaired gold queries into a folder.
 * @throws ConfigError where its format holds no SQL or pairs of gold queries, or the folder is not empty
 */
export function checkRepair({ format, pairs }: Dataset, folder: string): void {
  if (pairs !== undefined) {
    throw new ConfigError(
      `option --repair: gold queries of the format ${format} are repaired from the ones before the change`,
      {
        fix: 'In a checkout of the repository, run npm run audit:published.',
      },
    );
  }
  if (WITHOUT_SQL.has(format)) {
    throw new ConfigError(`option --repair: gold queries of the format ${format} are structures, not SQL`, {
      fix: 'Leave --repair out; --out has the repaired queries.',
    });
  }
  if (!isFreeFolder(folder))
    throw new ConfigError(`option --repair: ${folder} is not empty`, { fix: 'Name a new folder.' });
}

/** The repaired gold of each example that has one: that of a grave finding before one of style. */
function repairsOf(findings: readonly AuditFinding[]): ReadonlyMap<string, string> {
  const repairs = new Map<string, string>();
  const isNote = ({ class: name }: AuditFinding): boolean => AUDIT_CLASSES[name].level === 'note';
  for (const finding of [...findings.filter((one) => !isNote(one)), ...findings.filter(isNote)]) {
    const { example, repair } = finding;
    if (example !== null && repair !== null && !repairs.has(example)) repairs.set(example, repair.sql);
  }
  return repairs;
}

/** An interaction with its repaired turns. */
function repairInteraction(
  group: readonly [DatasetExample, ...DatasetExample[]],
  repairs: ReadonlyMap<string, string>,
  schema: Database,
): InteractionRecord {
  const parts = new Map(group.map((example) => [(example.record as InteractionPart).turn, repairs.get(example.id)]));
  const { interaction: record } = group[0].record as InteractionPart;
  const repaired = <T extends object>(turn: T, query: string | undefined): T =>
    query === undefined ? turn : recordWithQuery(turn, 'query', query, schema);
  const interaction = record.interaction.map((turn, i) => repaired(turn, parts.get(i)));
  const final = record.final == null ? {} : { final: repaired(record.final, parts.get('final')) };
  return { ...record, interaction, ...final };
}

/** A group of examples with their repaired gold queries, in the records of their format. */
function repairGroup(
  group: readonly [DatasetExample, ...DatasetExample[]],
  repairs: ReadonlyMap<string, string>,
  { format, dialect }: Dataset,
  schema: Database,
): readonly DatasetExample[] {
  if (group.every(({ id }) => !repairs.has(id))) return group;
  if (format === 'sparc' || format === 'cosql') {
    const interaction = repairInteraction(group, repairs, schema);
    return group.map((example) => {
      const { turn } = example.record as InteractionPart;
      return { ...example, query: repairs.get(example.id) ?? example.query, record: { interaction, turn } };
    });
  }
  return group.map((example) => {
    const query = repairs.get(example.id);
    if (query === undefined) return example;
    const record = example.record as QuestionRecord;
    const field = format === 'bird' ? 'SQL' : format === 'spider' ? 'query' : queryField(record);
    return { ...example, query, record: recordWithQuery(record, field, query, schema, dialect) };
  });
}

/** The data set with repaired gold queries: what a writer takes for originals. */
function repairedSet(
  input: Dataset,
  given: readonly DatasetExample[],
  repairs: ReadonlyMap<string, string>,
): OutputSet {
  const schemaOf = (dbId: string): Database => databaseOf(input, dbId);
  const examples = [...groupExamples(given)].flatMap((group) =>
    repairGroup(group, repairs, input, schemaOf(group[0].dbId)),
  );
  const schemas = new Map(
    [...groupBy(examples, ({ dbId }) => dbId).keys()].map((id): [string, OutputSchema] => {
      const schema = schemaOf(id);
      return [id, { schema, origin: id, columns: samePositions(schema) }];
    }),
  );
  return {
    input: { ...input, examples: () => examples },
    schemas: [...schemas.values()],
    examples: () =>
      examples.map((source) => ({
        source,
        kind: 'original',
        query: source.query,
        schema: mustGet(schemas.get(source.dbId), `the schema of ${source.dbId}`),
      })),
    sqliteFile: () => null,
  };
}

/**
 * Writes a data set in the format that was read, with the gold queries that findings repair; the rest is as it was.
 * @returns how many gold queries were repaired
 */
export async function repairDataset(
  dataset: Dataset,
  examples: readonly DatasetExample[],
  findings: readonly AuditFinding[],
  folder: string,
): Promise<number> {
  const repairs = repairsOf(findings);
  const output: OutputFolder = { write: (name, content) => writeDurably(join(folder, name), content) };
  const set = repairedSet(dataset, examples, repairs);
  const { write } = await datasetAdapter(dataset.format);
  (write ?? writeSpiderDataset)(set, output);
  return repairs.size;
}
