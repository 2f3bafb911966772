import type { JSX } from 'preact';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { columnNamingStyle, styledIdentifier } from '../../src/schema/naming-style.js';
import type { Database } from '../../src/schema/schema.js';
import type { PageState } from './state.js';

interface TableProps {
  readonly database: Database;
  readonly table: number;
  readonly state: PageState;
  readonly decisions: readonly CandidateDecision[];
  readonly change: (changes: Partial<PageState>) => void;
}

interface ChipProps {
  readonly decision: CandidateDecision;
  readonly identifier: string;
  readonly isOn: boolean;
  readonly toggle: () => void;
}

const percent = (share: number | null): string => (share === null ? 'not scored' : `${Math.round(share * 100)} %`);

function Chip({ decision, identifier, isOn, toggle }: ChipProps): JSX.Element {
  const { bucket, source, e1, e2 } = decision;
  const scores = `${source}; entailment ${percent(e1)}, back ${percent(e2)}`;
  return (
    <button type="button" class={`chip ${bucket.toLowerCase()}`} aria-pressed={isOn} title={scores} onClick={toggle}>
      {identifier}
    </button>
  );
}

function Chips({ label, chips }: { label: string; chips: readonly ChipProps[] }): JSX.Element | null {
  if (chips.length === 0) return null;
  return (
    <p class="chips">
      <span class="bucket">{label}</span>
      {chips.map((chip) => (
        <Chip key={chip.identifier} {...chip} />
      ))}
    </p>
  );
}

function Rejected({ decisions }: { decisions: readonly CandidateDecision[] }): JSX.Element | null {
  if (decisions.length === 0) return null;
  return (
    <details>
      <summary>{decisions.length} rejected</summary>
      <ul>
        {decisions.map(({ candidate, reason, against }) => (
          <li key={candidate}>
            {candidate}: {reason}
            {against !== null && `, by ${against}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A copy of a map with one entry set, or removed where there is no value. */
function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | null): ReadonlyMap<K, V> {
  const changed = new Map(map);
  if (value === null) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

function ColumnRow({ column, ...props }: TableProps & { readonly column: number }): JSX.Element {
  const { database, table, state, decisions, change } = props;
  const { originalName } = database.tables[table]!.columns[column]!;
  const key = `${table}.${column}`;
  const name = state.renames.get(key) ?? '';
  const added = state.added.get(table) ?? [];
  const style = columnNamingStyle(database, { table, column });
  const rename = (to: string): void =>
    change({ renames: withEntry(state.renames, key, to === '' || to === originalName ? null : to) });
  const toggleAdded = (identifier: string): void => {
    const names = added.includes(identifier) ? added.filter((one) => one !== identifier) : [...added, identifier];
    change({ added: withEntry(state.added, table, names.length === 0 ? null : names) });
  };
  const own = decisions.filter(({ column_original }) => column_original === originalName);
  const chipsOf = (bucket: 'RPL' | 'ADD'): readonly ChipProps[] =>
    own
      .filter((decision) => decision.bucket === bucket)
      .map((decision) => {
        const identifier = styledIdentifier(decision.candidate, style, originalName);
        const isOn = bucket === 'RPL' ? name === identifier : added.includes(identifier);
        const toggle = (): void => (bucket === 'ADD' ? toggleAdded(identifier) : rename(isOn ? '' : identifier));
        return { decision, identifier, isOn, toggle };
      });
  return (
    <li>
      <label>
        <code>{originalName}</code>
        <input
          value={name}
          placeholder={originalName}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => rename(currentTarget.value)}
        />
      </label>
      <Chips label="RPL" chips={chipsOf('RPL')} />
      <Chips label="ADD" chips={chipsOf('ADD')} />
      <Rejected decisions={own.filter(({ bucket }) => bucket === 'rejected')} />
    </li>
  );
}

/** The columns of one table: a field for a new name each, and the names that were found. */
export function TableColumns(props: TableProps): JSX.Element {
  const { originalName, columns } = props.database.tables[props.table]!;
  const added = props.state.added.get(props.table) ?? [];
  return (
    <fieldset>
      <legend>
        Table <code>{originalName}</code>
      </legend>
      <ul class="columns">
        {columns.map((column, c) => (
          <ColumnRow key={column.originalName} {...props} column={c} />
        ))}
      </ul>
      {added.length > 0 && <p class="added">Added: {added.join(', ')}</p>}
    </fieldset>
  );
}
