import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { present } from '../present.js';
import { fileSha256 } from '../run/sha256.js';
import type { Database } from '../schema/schema.js';
import { SQLITE } from '../sql/dialect.js';
import type { Dataset, DatasetExample, DatasetPaths, SkippedExample } from './dataset.js';
import { checkRecord, loadJsonArray } from './json-file.js';
import { sqliteFolder } from './spider-dataset.js';
import { loadSpiderRecords, loadSpiderTables } from './spider-tables.js';

const turnSchema = z.looseObject({ utterance: z.string(), query: z.string().nullish() });

const interactionSchema = z.looseObject({
  database_id: z.string().min(1),
  interaction: z.array(turnSchema),
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

export interface InteractionDataset extends Dataset {
  /** Name of the examples' file without its ending, "dev". */
  readonly stem: string;
}

interface LoadedInteractions {
  readonly examples: InteractionExample[];
  readonly skipped: SkippedExample[];
}

/** The goal as a question: its own words or, where the file has none, those of all turns. */
function goalQuestion({ interaction, final }: InteractionRecord): string {
  const own = final?.utterance ?? '';
  return own === '' ? interaction.map(({ utterance }) => utterance).join(' ') : own;
}

function addInteraction(loaded: LoadedInteractions, record: InteractionRecord, group: string): void {
  const add = (turn: InteractionPart['turn'], question: string, query: string | null | undefined): void => {
    const id = `${group}.${turn}`;
    if ((query ?? '').trim() === '') loaded.skipped.push({ id, reason: 'it has no query' });
    else {
      const common = { id, group, dbId: record.database_id, question, query: present(query, 'query') };
      loaded.examples.push({ ...common, record: { interaction: record, turn } });
    }
  };
  record.interaction.forEach(({ utterance, query }, turn) => add(turn, utterance, query));
  if ((record.final?.query ?? '') !== '')
    add('final', goalQuestion(record), present(record.final, 'record.final').query);
}

function loadInteractions(file: string, stem: string, databases: ReadonlyMap<string, Database>): LoadedInteractions {
  const loaded: LoadedInteractions = { examples: [], skipped: [] };
  loadJsonArray(file, 'interactions').forEach((json, index) => {
    const id = `${stem}:${index}`;
    checkRecord(interactionSchema, json, { file, id }, 'Each needs database_id and interaction, a list of turns.');
    // As it is in the file: zod's copy has its own order of fields.
    const record = json as InteractionRecord;
    if (!databases.has(record.database_id)) {
      throw new InputFormatError(`database_id "${record.database_id}" is not in the tables file`, {
        where: { file, id },
        fix: 'Name the tables.json that belongs to these interactions.',
      });
    }
    addInteraction(loaded, record, id);
  });
  return loaded;
}

function loadInteractionDataset(format: 'cosql' | 'sparc', paths: DatasetPaths): InteractionDataset {
  const [tables, questions] = [present(paths.tables, 'paths.tables'), present(paths.examples, 'paths.examples')];
  const stem = basename(questions, extname(questions));
  const databases = loadSpiderTables(tables);
  const { examples, skipped } = loadInteractions(questions, stem, databases);
  return {
    format,
    stem,
    dialect: SQLITE,
    databases,
    size: examples.length,
    skipped,
    spiderTables: loadSpiderRecords(tables),
    fingerprints: { tables: fileSha256(tables), examples: fileSha256(questions) },
    examples: () => examples,
    ...sqliteFolder(paths.databases),
  };
}

/**
 * CoSQL (its SQL part, `sql_state_tracking`): files as Spider's, but each record of the examples is an interaction. An
 * example is a turn, "dev:12.0", or the interaction's goal in `final`, "dev:12.final"; both belong to the group
 * "dev:12".
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadCosqlDataset(paths: DatasetPaths): InteractionDataset {
  return loadInteractionDataset('cosql', paths);
}

/**
 * SParC: as CoSQL.
 * @throws InputFormatError when a file is not what the format promises
 */
export function loadSparcDataset(paths: DatasetPaths): InteractionDataset {
  return loadInteractionDataset('sparc', paths);
}
