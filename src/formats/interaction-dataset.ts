import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { Dataset, DatasetExample, PathsWith, SkippedExample } from './dataset.js';
import { checkRecord, loadJsonArray } from './json-file.js';
import { loadSpiderLayout } from './spider-dataset.js';
import { type KnownSchemas, readUsable, requireSchema, type UsableRecords } from './usable-records.js';

const turnSchema = z.looseObject({ utterance: z.string(), query: z.string().nullish() });

type Turn = z.infer<typeof turnSchema>;

const interactionSchema = z.looseObject({
  database_id: z.string().min(1),
  // Turns are checked one by one: a bad one takes no other with it.
  interaction: z.array(z.custom<Turn>()),
  final: z.looseObject({ utterance: z.string().nullish(), query: z.string().nullish() }).nullish(),
});

/** One record of CoSQL's or SParC's examples. */
export type InteractionRecord = z.infer<typeof interactionSchema>;

/** Which query of an interaction an example is: a turn by position from 0, or the goal of the whole. */
export interface InteractionPart {
  readonly interaction: InteractionRecord;
  readonly turn: number | 'final';
}

export interface InteractionExample extends DatasetExample {
  readonly record: InteractionPart;
}

/**
 * Checks whether an example is the goal of an interaction, which CoSQL's and SParC's evaluation.py does not ask for.
 */
export function isGoal({ format }: Pick<Dataset, 'format'>, { record }: DatasetExample): boolean {
  return (format === 'cosql' || format === 'sparc') && (record as InteractionPart).turn === 'final';
}

export interface InteractionDataset extends Dataset {
  /** Name of the examples' file without its ending, "dev". */
  readonly stem: string;
}

/** The goal as a question: its own words or, where the file has none, those of all turns. */
function goalQuestion({ interaction, final }: InteractionRecord): string {
  const own = final?.utterance ?? '';
  return own === '' ? interaction.map(({ utterance }) => utterance).join(' ') : own;
}

const NO_QUERY = 'it has no query';

/** The turns of an interaction, each by itself: one that can't be used takes no other with it. */
function* readTurns(
  record: InteractionRecord,
  group: string,
  withoutGold: boolean,
): Generator<InteractionExample | SkippedExample> {
  const read = (turn: InteractionPart['turn'], question: string, given: string, mayLackGold: boolean) => {
    const [id, query] = [`${group}.${turn}`, given.trim() === '' ? '' : given];
    if (query === '' && !mayLackGold) return { id, reason: NO_QUERY };
    return { id, group, dbId: record.database_id, question, query, record: { interaction: record, turn } };
  };
  for (const [turn, json] of record.interaction.entries()) {
    const { success, data } = turnSchema.safeParse(json);
    if (success) yield read(turn, data.utterance, data.query ?? '', withoutGold);
    else yield { id: `${group}.${turn}`, reason: 'the turn has no utterance, or a query that is no text' };
  }
  const goal = record.final?.query ?? '';
  if (goal !== '') yield read('final', goalQuestion(record), goal, false);
}

/** A record that is left out, by its turns: so all that was read is counted alike. */
function skippedTurns(json: unknown, { id, reason, place }: SkippedExample): readonly SkippedExample[] {
  const { interaction, final } = (json ?? {}) as { readonly interaction?: unknown; readonly final?: unknown };
  const turns = Array.isArray(interaction) ? interaction.map((_, turn) => `${id}.${turn}`) : [];
  const hasGoal = ((final as { readonly query?: unknown } | null | undefined)?.query ?? '') !== '';
  const ids = [...turns, ...(hasGoal ? [`${id}.final`] : [])];
  const common = { reason, ...(place === undefined ? {} : { place }) };
  return ids.length === 0 ? [{ id, ...common }] : ids.map((one) => ({ id: one, ...common }));
}

function loadInteractions(
  file: string,
  stem: string,
  schemas: KnownSchemas,
  withoutGold: boolean,
): UsableRecords<InteractionExample> {
  const records = loadJsonArray(file, 'interactions', 'database_id');
  const { kept, skipped } = readUsable(records, file, (json, index) => {
    const id = `${stem}:${index}`;
    checkRecord(interactionSchema, json, { file, id }, 'Each needs database_id and interaction, a list of turns.');
    // As it is in the file: zod's copy has its own order of fields.
    const record = json as InteractionRecord;
    requireSchema(record.database_id, 'database_id', schemas, { file, id });
    return [...readTurns(record, id, withoutGold)];
  });
  const turns = kept.flat();
  const byId = new Map(records.map((json, index) => [`${stem}:${index}`, json]));
  return {
    kept: turns.filter((one) => 'record' in one),
    skipped: [
      ...turns.filter((one): one is SkippedExample => 'reason' in one),
      ...skipped.flatMap((one) => skippedTurns(byId.get(one.id), one)),
    ],
  };
}

/**
 * CoSQL (its SQL part, `sql_state_tracking`) or SParC: files as Spider's, but each record of the examples is an
 * interaction. An example is a turn, "dev:12.0", or the interaction's goal in `final`, "dev:12.final"; both belong to the
 * group "dev:12".
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadInteractionDataset(paths: PathsWith<'tables' | 'examples'>): InteractionDataset {
  const stem = basename(paths.examples, extname(paths.examples));
  const dataset = loadSpiderLayout(paths.dataset, paths, (file, schemas) =>
    loadInteractions(file, stem, schemas, paths.withoutGold === true),
  );
  return { ...dataset, stem };
}
