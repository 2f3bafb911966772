import { runsBy } from '../run/group-by.js';
import type { Database } from '../schema/schema.js';
import type { InteractionDataset, InteractionPart, InteractionRecord } from './interaction-dataset.js';
import { renderJsonArray } from './json-file.js';
import type { OutputExample, OutputFolder, OutputSet, OwnFields } from './output-set.js';
import { MADE_FIELDS, recordWithQuery } from './query-fields.js';
import { RecordIds } from './variant-ids.js';
import { renderGoldLine } from './spider-output.js';
import { followTableTexts } from './schema-text/table-texts.js';
import { remapTables } from './spider-remap.js';

type Goal = InteractionRecord['final'];

const partOf = ({ source }: OutputExample): InteractionPart => source.record as InteractionPart;

/** The output by interaction: all turns of one on one schema. */
const groupTurns = (examples: Iterable<OutputExample>): Generator<readonly [OutputExample, ...OutputExample[]]> =>
  runsBy(examples, ({ source, schema }) => JSON.stringify([source.group, schema.schema.id]));

function renderGoal(final: Goal, query: string | undefined, schema: Database): Goal {
  const isUnasked = (final?.query ?? '') === '';
  if (final === null || final === undefined || isUnasked) return final;
  return query === undefined ? undefined : recordWithQuery(final, 'query', query, schema);
}

/** One interaction; a turn whose query could not follow is left out, one that had none stays. */
function renderInteraction(turns: readonly [OutputExample, ...OutputExample[]], ids: RecordIds): InteractionRecord {
  const { kind, schema } = turns[0];
  const { interaction: record } = partOf(turns[0]);
  if (kind === 'original') return record;
  const queries = new Map(turns.map((one) => [partOf(one).turn, one.query]));
  const interaction = record.interaction.flatMap((turn, index) => {
    const query = queries.get(index);
    if (query !== undefined) return [recordWithQuery(turn, 'query', query, schema.schema)];
    return (turn.query ?? '').trim() === '' ? [turn] : [];
  });
  const own = ids.idsOf(record, kind);
  const rendered = { ...record, ...own, database_id: schema.schema.id, interaction };
  const final = renderGoal(record.final, queries.get('final'), schema.schema);
  if (final !== undefined) rendered.final = final;
  else delete rendered.final;
  return rendered;
}

/** Fields that name an interaction. */
const ID_FIELDS = ['id', 'interaction_id', 'question_id'];

function idsOf({ input }: OutputSet): RecordIds {
  const records = new Set(Array.from(input.examples(), ({ record }) => (record as InteractionPart).interaction));
  return new RecordIds(records, ID_FIELDS);
}

function* renderInteractions(set: OutputSet): Generator<InteractionRecord> {
  const ids = idsOf(set);
  for (const turns of groupTurns(set.examples())) yield renderInteraction(turns, ids);
}

const TURN_FIELDS = new Set(['utterance', 'query', ...MADE_FIELDS]);
const INTERACTION_FIELDS = new Set(['database_id', 'interaction', 'final']);

/**
 * The fields of a turn beyond its words and query, and those of its interaction; a variant's has its original's ids as
 * such. Its own id is that of the turn.
 */
export const interactionFields: OwnFields = ({ source, kind }) => {
  const { interaction: record, turn } = source.record as InteractionPart;
  const own = (turn === 'final' ? record.final : record.interaction[turn]) ?? {};
  const shared = Object.entries(record).filter(([field]) => !INTERACTION_FIELDS.has(field));
  const isMade = kind !== 'original';
  return {
    ...Object.fromEntries(
      shared.map(([field, value]) => [isMade && ID_FIELDS.includes(field) ? `original_${field}` : field, value]),
    ),
    ...Object.fromEntries(Object.entries(own).filter(([field]) => !TURN_FIELDS.has(field))),
  };
};

/** Gold lines as SParC's and CoSQL's evaluation.py reads them: a blank line ends an interaction; goals are not in it. */
function* renderGold(set: OutputSet): Generator<string> {
  for (const turns of groupTurns(set.examples())) {
    const asked = turns.filter((one) => partOf(one).turn !== 'final');
    for (const { query, schema } of asked) yield renderGoldLine(query, schema.schema.id);
    if (asked.length > 0) yield '\n';
  }
}

/** Writes `tables.json`, `<stem>.json` and `<stem>_gold.txt` below "cosql" or "sparc". */
export function writeInteractions(set: OutputSet, folder: OutputFolder): void {
  const { format, stem, spiderTables = new Map() } = set.input as InteractionDataset;
  const tables = Array.from(set.schemas, (output) =>
    followTableTexts(set.input, output, remapTables(spiderTables, output)),
  );
  folder.write(`${format}/tables.json`, renderJsonArray(tables));
  folder.write(`${format}/${stem}.json`, renderJsonArray(renderInteractions(set)));
  folder.write(`${format}/${stem}_gold.txt`, renderGold(set));
}
