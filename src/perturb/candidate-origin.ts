import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadFinalCandidates } from '../annotate/final-candidates.js';
import { isSqliteFile } from '../formats/is-sqlite-file.js';
import { ConfigError, InputFormatError } from '../errors.js';
import { type AdvetaCandidate, loadAdvetaFolder, toDecision } from '../formats/adveta-candidates.js';
import { type CandidateDecision, loadCandidates, parseCandidates } from '../formats/candidates-file.js';
import { loadText } from '../formats/json-file.js';
import { identifierKey } from '../schema/name-identity.js';
import type { Database } from '../schema/schema.js';
import { decidedColumns } from './decisions-by-column.js';

/** What names a folder with an ADVETA release, in place of a path. */
export const ADVETA_PREFIX = 'adveta:';
/** How the names of the release's Spider files begin. */
export const SPIDER_FILES = 'spider';

/** Whether the data set has the column that a decision is about. */
function hasColumn(databases: ReadonlyMap<string, Database>, decision: CandidateDecision): boolean {
  const database = databases.get(decision.db_id);
  return database !== undefined && decidedColumns(database, decision).length > 0;
}

/**
 * Loads candidates by what `--candidates` names: a run folder, a `candidates.jsonl`, an annotation project (its final
 * answers), or `adveta:DIR` for the human ones of an ADVETA release (its Spider files). Those about columns that the data
 * set does not have are left out.
 * @throws ConfigError when nothing is there; InputFormatError when a file is not what it should be, or none is left.
 */
export function loadCandidatesFrom(
  from: string,
  databases: ReadonlyMap<string, Database>,
): readonly CandidateDecision[] {
  return knownCandidates(readCandidates(from, databases), databases, from);
}

/** Those about columns that the data set has; `from` is named in the error. @throws InputFormatError when none is left */
export function knownCandidates(
  decisions: readonly CandidateDecision[],
  databases: ReadonlyMap<string, Database>,
  from: string,
): readonly CandidateDecision[] {
  const known = decisions.filter((decision) => hasColumn(databases, decision));
  if (known.length > 0) return known;
  throw new InputFormatError('no candidate is about a column of this data set', {
    where: { file: from },
    fix: 'Name candidates that were made for the same tables file.',
  });
}

function readCandidates(from: string, databases: ReadonlyMap<string, Database>): readonly CandidateDecision[] {
  if (from.startsWith(ADVETA_PREFIX)) {
    return toDecisions(loadAdvetaFolder(from.slice(ADVETA_PREFIX.length), SPIDER_FILES), databases);
  }
  if (!existsSync(from)) {
    throw new ConfigError(`--candidates ${from} does not exist`, {
      fix: 'Name a run folder, a candidates.jsonl, an annotation project or adveta:DIR.',
    });
  }
  if (statSync(from).isDirectory()) return loadCandidates(join(from, 'candidates.jsonl'));
  if (isSqliteFile(from)) return toDecisions(loadFinalCandidates(from), databases);
  const text = loadText(from);
  if (text.trimStart().startsWith('{')) return parseCandidates(text, from);
  throw new InputFormatError('this is neither candidates nor an annotation project', {
    where: { file: from },
    fix: 'Name a run folder, a candidates.jsonl, an annotation project or adveta:DIR.',
  });
}

/** What people chose, as decisions about the tables that the data set has. */
function toDecisions(
  candidates: readonly AdvetaCandidate[],
  databases: ReadonlyMap<string, Database>,
): readonly CandidateDecision[] {
  return candidates.flatMap((candidate) => {
    const tables = databases.get(candidate.dbId)?.tables;
    const table = tables?.find(({ originalName }) => identifierKey(originalName) === identifierKey(candidate.table));
    // ADVETA lists two blank names.
    return table === undefined || candidate.candidate.trim() === '' ? [] : [toDecision(candidate, table)];
  });
}
