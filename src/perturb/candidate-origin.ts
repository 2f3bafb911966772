import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../errors.js';
import { loadAdvetaFolder, toDecision } from '../formats/adveta-candidates.js';
import { type CandidateDecision, loadCandidates } from '../formats/candidates-file.js';
import type { Database } from '../schema/schema.js';

const ADVETA_PREFIX = 'adveta:';

/**
 * Loads candidates by what `--candidates` names: a run folder, a `candidates.jsonl`, or `adveta:DIR` for the human
 * ones of an ADVETA release (its Spider files).
 * @throws ConfigError when nothing is there; InputFormatError when a file is not what it should be.
 */
export function loadCandidatesFrom(
  from: string,
  databases: ReadonlyMap<string, Database>,
): readonly CandidateDecision[] {
  if (from.startsWith(ADVETA_PREFIX)) return loadHumanCandidates(from.slice(ADVETA_PREFIX.length), databases);
  if (!existsSync(from)) {
    throw new ConfigError(`--candidates ${from} does not exist`, {
      fix: 'Name a run folder, a candidates.jsonl or adveta:DIR.',
    });
  }
  const file = statSync(from).isDirectory() ? join(from, 'candidates.jsonl') : from;
  return loadCandidates(file);
}

function loadHumanCandidates(folder: string, databases: ReadonlyMap<string, Database>): readonly CandidateDecision[] {
  return loadAdvetaFolder(folder, 'spider').flatMap((candidate) => {
    const tables = databases.get(candidate.dbId)?.tables;
    const table = tables?.find(({ originalName }) => originalName.toLowerCase() === candidate.table.toLowerCase());
    return table === undefined ? [] : [toDecision(candidate, table.name)];
  });
}
