import { formatCount } from '../../counts.js';
import type { AdvetaCandidate } from '../../formats/adveta-candidates.js';
import type { RunHost } from '../../run/run-host.js';
import type { Absence } from './adveta-places.js';

/** Counts of tables, columns and names of people's candidates that a data set has, and of those it lacks, by cause. */
export interface FoundCandidates {
  readonly tables: {
    readonly byId: number;
    readonly byHeader: number;
    /** The data set has no such table. */
    readonly absent: number;
    /** Found by a header that several tables have. */
    readonly ambiguous: number;
  };
  /** Columns of the tables that were found. */
  readonly columns: { readonly found: number; readonly absent: number };
  readonly candidates: { readonly found: number; readonly leftOut: number };
}

type Outcome = 'id' | 'header' | Absence;

const counted = (count: number, what: string): string =>
  `${formatCount(count)} ${count === 1 ? what.replace(/^(table|column|name)s/u, '$1') : what}`;

/** Describes the found and the missing in one line; causes that did not occur are left out. */
export function describeFound({ tables, columns, candidates }: FoundCandidates): string {
  const parts = [
    counted(tables.byId, 'tables found by id'),
    ...(tables.byHeader === 0 ? [] : [counted(tables.byHeader, 'by header')]),
    ...(tables.ambiguous === 0 ? [] : [counted(tables.ambiguous, 'left out as several tables have their header')]),
    ...(tables.absent === 0 ? [] : [counted(tables.absent, 'not in this data set')]),
    counted(columns.found, 'columns found'),
    ...(columns.absent === 0 ? [] : [counted(columns.absent, 'not in their table')]),
    counted(candidates.found, 'names taken'),
    ...(candidates.leftOut === 0 ? [] : [counted(candidates.leftOut, 'left out')]),
  ];
  return `people’s candidates: ${parts.join(', ')}`;
}

/** Tells a host of people's candidates where some were left out, or found by less than an id. */
export function noteFound(host: RunHost): (found: FoundCandidates) => void {
  return (found) => {
    if (found.candidates.leftOut + found.tables.byHeader > 0) host.note(describeFound(found));
  };
}

/** Counts what became of candidates; tables and columns count once. */
export class FoundCandidatesTally {
  readonly #tables = new Map<string, Outcome>();
  readonly #columns = new Map<string, boolean>();
  readonly #candidates = { found: 0, leftOut: 0 };

  /** `found` is the name of the column as the data set has it. */
  add({ dbId, table, column }: AdvetaCandidate, outcome: Outcome, found = column): void {
    const isFound = outcome === 'id' || outcome === 'header';
    this.#candidates[isFound ? 'found' : 'leftOut']++;
    const key = JSON.stringify([dbId, table]);
    // A column is absent from a table that is there.
    if (outcome !== 'column' || !this.#tables.has(key)) this.#tables.set(key, outcome);
    if (isFound || outcome === 'column') this.#columns.set(JSON.stringify([dbId, table, found]), isFound);
  }

  get found(): FoundCandidates {
    const tables = [...this.#tables.values()];
    const count = (...outcomes: readonly Outcome[]): number => tables.filter((one) => outcomes.includes(one)).length;
    const columns = [...this.#columns.values()].filter((isFound) => isFound).length;
    return {
      tables: {
        byId: count('id', 'column'),
        byHeader: count('header'),
        absent: count('table'),
        ambiguous: count('several'),
      },
      columns: { found: columns, absent: this.#columns.size - columns },
      candidates: { ...this.#candidates },
    };
  }
}
