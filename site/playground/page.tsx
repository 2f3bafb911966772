// The playground: schema, question and query in, names and the rewritten query out. Nothing leaves the browser.
import { type JSX, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { TableColumns } from './column-names.js';
import { NameFinder, type Stage } from './found-names.js';
import { rewrite, type Rewritten } from './rewrite.js';
import { RewrittenGold } from './rewritten-gold.js';
import { EXAMPLE, type PageState, readHash, writeHash } from './state.js';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly onInput: (value: string) => void;
}

function Field({ label, value, rows, onInput }: FieldProps): JSX.Element {
  return (
    <label class="field">
      {label}
      <textarea
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

function Progress({ stage }: { stage: Stage }): JSX.Element {
  return (
    <div class="progress" role="status">
      {stage.kind === 'loading' && (
        <label>
          Loading models and dictionaries: {Math.round(stage.share * 100)} %
          <progress max={1} value={stage.share} />
        </label>
      )}
      {stage.kind === 'judging' && <span>Reading names for {stage.table} …</span>}
      {stage.kind === 'failed' && <span class="fault">Names can’t be found: {stage.message}</span>}
    </div>
  );
}

interface QueryProps {
  readonly state: PageState;
  readonly ask: (changes: Partial<PageState>) => void;
  readonly startOver: () => void;
}

function QuerySection({ state, ask, startOver }: QueryProps): JSX.Element {
  return (
    <section aria-labelledby="query-title">
      <h2 id="query-title">1. A schema, a question and its gold query</h2>
      <Field label="CREATE TABLE" rows={9} value={state.schema} onInput={(schema) => ask({ schema })} />
      <Field label="Question" rows={2} value={state.question} onInput={(question) => ask({ question })} />
      <Field label="Gold query (SQLite)" rows={3} value={state.query} onInput={(query) => ask({ query })} />
      <button type="button" class="plain" onClick={startOver}>
        Start over with the example
      </button>
    </section>
  );
}

interface NamesProps {
  readonly state: PageState;
  readonly rewritten: Rewritten;
  readonly finder: NameFinder;
  readonly stage: Stage;
  readonly megabytes: number;
  readonly decisions: readonly CandidateDecision[];
  readonly setDecisions: (decisions: readonly CandidateDecision[]) => void;
  readonly change: (changes: Partial<PageState>) => void;
}

function NamesSection({ rewritten, stage, ...props }: NamesProps): JSX.Element {
  const { state, finder, megabytes, decisions, setDecisions, change } = props;
  const { database, mentioned } = rewritten;
  const isBusy = stage.kind === 'loading' || stage.kind === 'judging';
  const findNames = async (): Promise<void> => {
    if (database === null) return;
    const found: CandidateDecision[] = [];
    try {
      for await (const ofTable of finder.find(database, mentioned, state.question)) {
        found.push(...ofTable);
        setDecisions([...found]);
      }
    } catch {
      // What went wrong is on the page: the finder shows it.
    }
  };
  return (
    <section aria-labelledby="names-title">
      <h2 id="names-title">2. New names</h2>
      <p>
        Type one, or let the shipped stages find some for the columns that the query names. The first time this loads{' '}
        {megabytes} MB from this site.
      </p>
      <button
        type="button"
        class="primary"
        disabled={isBusy || database === null || mentioned.length === 0}
        onClick={() => void findNames()}
      >
        Find names
      </button>
      <Progress stage={stage} />
      {database?.tables.map((table, t) => (
        <TableColumns
          key={`${t}-${table.originalName}`}
          {...{ database, state, change }}
          table={t}
          decisions={decisions.filter(({ table_original }) => table_original === table.originalName)}
        />
      ))}
    </section>
  );
}

function Playground({ script, megabytes }: { script: URL; megabytes: number }): JSX.Element {
  const [state, setState] = useState<PageState>(() => readHash(location.hash));
  const [stage, setStage] = useState<Stage>({ kind: 'idle' });
  const [decisions, setDecisions] = useState<readonly CandidateDecision[]>([]);
  const finder = useMemo(() => new NameFinder(script, setStage), [script]);
  const rewritten = useMemo(() => rewrite(state), [state]);
  useEffect(() => {
    const follow = (): void => setState(readHash(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  const change = (changes: Partial<PageState>): void => {
    const next = { ...state, ...changes };
    setState(next);
    history.replaceState(history.state, '', `#${writeHash(next)}`);
  };
  const ask = (changes: Partial<PageState>): void => {
    // Names are for one schema and its columns.
    if (changes.schema !== undefined) setDecisions([]);
    change(changes.schema === undefined ? changes : { ...changes, renames: new Map(), added: new Map() });
  };
  const startOver = (): void => {
    setDecisions([]);
    change(EXAMPLE);
  };
  return (
    <>
      <QuerySection {...{ state, ask, startOver }} />
      <NamesSection {...{ state, rewritten, finder, stage, megabytes, decisions, setDecisions, change }} />
      <RewrittenGold query={state.query} rewritten={rewritten} />
    </>
  );
}

/** Shows the playground in an element; its scripts and files lie next to this one. */
export async function mount(element: HTMLElement): Promise<void> {
  const list = (await (await fetch(new URL('./files.json', import.meta.url))).json()) as readonly { bytes: number }[];
  const megabytes = Math.round(list.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);
  const script = new URL('./cta-worker.js', import.meta.url);
  render(<Playground script={script} megabytes={megabytes} />, element);
}
