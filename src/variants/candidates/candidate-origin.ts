import { ConfigError, InputFormatError } from '../../errors.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import type { Database } from '../../schema/schema.js';
import { candidateFormOf, CANDIDATES_FIX, type CandidateUse } from './candidate-forms.js';
import { decidedColumns } from '../relations/names/decisions-by-column.js';
import { describeFound, type FoundCandidates } from './found-candidates.js';

/** Checks whether the data set has the column that a decision is about. */
function hasColumn(databases: ReadonlyMap<string, Database>, decision: CandidateDecision): boolean {
  const database = databases.get(decision.db_id);
  return database !== undefined && decidedColumns(database, decision).length > 0;
}

/**
 * Loads candidates by what `--candidates` names: a run folder, a `candidates.jsonl`, an annotation project (its final
 * answers), or `adveta:DIR` for the human ones of an ADVETA release (its files for the data set's format, Spider's
 * where none is named). Those about columns that the data set does not have are left out.
 * @throws ConfigError when nothing is there; InputFormatError when a file is not what it should be, or none is left.
 */
export function loadCandidatesFrom(
  from: string,
  databases: ReadonlyMap<string, Database>,
  use: CandidateUse = { format: 'spider' },
): readonly CandidateDecision[] {
  const found: FoundCandidates[] = [];
  const onFound = (one: FoundCandidates): void => {
    found.push(one);
    use.onFound?.(one);
  };
  return knownCandidates(readCandidates(from, databases, { ...use, onFound }), databases, from, found[0]);
}

/**
 * Those about columns that the data set has; `from` is named in the error, and what was found of people's candidates.
 * @throws InputFormatError when there are none, or none is left
 */
export function knownCandidates(
  decisions: readonly CandidateDecision[],
  databases: ReadonlyMap<string, Database>,
  from: string,
  found?: FoundCandidates,
): readonly CandidateDecision[] {
  if (decisions.length === 0 && found === undefined) {
    throw new InputFormatError('there are no candidates in it: it was decided on no column', {
      where: { file: from },
      fix: 'Run `perturbql candidates` with --columns all where no gold query names a column of a table.',
    });
  }
  const known = decisions.filter((decision) => hasColumn(databases, decision));
  if (known.length > 0) return known;
  throw new InputFormatError('no candidate is about a column of this data set', {
    where: { file: from },
    ...(found === undefined ? {} : { cause: new Error(describeFound(found)) }),
    fix: 'Name candidates that were made for the same tables file.',
  });
}

function readCandidates(
  from: string,
  databases: ReadonlyMap<string, Database>,
  use: CandidateUse,
): readonly CandidateDecision[] {
  const form = candidateFormOf(from, use.candidateForms);
  if (form !== undefined) return form.load(from, databases, use);
  throw new ConfigError(`--candidates ${from} does not exist`, { fix: CANDIDATES_FIX });
}
