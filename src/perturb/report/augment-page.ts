import { type Verdict, VERDICTS } from '../verify/verdict.js';
import { renderTable, type TableRow, words } from '../../report/data-table.js';
import { renderFilteredList, renderSelect } from '../../report/filtered-list.js';
import { renderQueryPair, renderSides } from '../../report/sides.js';
import { type AugmentReport, compareSamples, type ReportedSample, type SampleColumn } from './augment-report.js';
import { countVariants } from '../augmentation.js';
import type { UnchangedColumn, UnchangedReason } from '../unchanged-columns.js';
import { isQueryChanged } from './augment-samples.js';
import { compareText } from '../../report/column-tally.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import {
  type PageSection,
  renderCards,
  renderColumnList,
  renderColumnName,
  renderName,
  renderPage,
  renderSettings,
} from '../../report/page-parts.js';

/** Most ids listed per reason; report.json has them all. */
const LISTED_IDS = 200;

/** Renders `report.html` of `perturbql augment`, self-contained like that of `perturbql candidates`. */
export function renderAugmentPage(report: AugmentReport): string {
  const { dataset, settings, written, examples } = report;
  const { mutants } = written;
  const total = written.original + countVariants(written) + (mutants ?? 0);
  const others =
    mutants !== undefined &&
    html` ${formatNoun(mutants, 'mutant')} ask in other words, or of schemas that changed otherwise.`;
  return renderPage({
    title: `${dataset}, ${settings.recipe}: augmented`,
    eyebrow: html`perturbql augment · data set ${nameHtml(dataset)} · recipe ${settings.recipe}`,
    headline: `${formatNoun(examples, 'example')} of ${dataset} became ${formatCount(total)}`,
    lede: html`${formatCount(written.original)} stay as they were,
    ${formatCount(written.rpl - (written.rplUnchanged ?? 0))} ask the same of renamed columns
    (RPL),${unchangedWords(written)} ${formatCount(written.add)} of tables with misleading columns added
    (ADD)${written.mixed !== undefined && html`, ${formatCount(written.mixed - (written.mixedUnchanged ?? 0))} of tables with both`}${unchangedMixedWords(written)}${mutants === undefined ? '. Questions are unchanged.' : ', their questions unchanged.'}${others}`,
    warnings: report.warnings,
    version: settings.version,
    sections: pageSections(report),
  });
}

/** RPL variants that a model answers as before, apart from the others. */
function unchangedWords({ rplUnchanged = 0 }: AugmentReport['written']): string {
  return rplUnchanged === 0
    ? ''
    : ` ${formatCount(rplUnchanged)} of renamed columns that their gold SQL does not name,`;
}

function pageSections(report: AugmentReport): PageSection[] {
  const {
    samples: { RPL, ADD, mixed = [] },
    written,
  } = report;
  return [
    { id: 'figures', heading: 'Key figures', body: renderKeyFigures(report) },
    {
      id: 'examples',
      heading: 'Before and after',
      link: 'Examples',
      body: renderSamples([...RPL, ...ADD, ...mixed], written),
    },
    { id: 'verified', heading: 'Gold SQL, executed', link: 'Verified', body: renderVerification(report) },
    { id: 'left', heading: 'What was left out', link: 'Left out', body: renderLeftOut(report) },
    { id: 'settings', heading: 'Settings and models', link: 'Settings', body: renderSettings(report.settings) },
  ];
}

const BUCKETS = ['RPL', 'ADD'] as const;

function unchangedIn(
  columns: readonly UnchangedColumn[],
  bucket: UnchangedColumn['bucket'],
  reason?: UnchangedReason,
): readonly UnchangedColumn[] {
  return columns.filter((column) => column.bucket === bucket && (reason === undefined || column.reason === reason));
}

/** Columns, whichever the buckets in which they are unchanged. */
function countColumns(columns: readonly UnchangedColumn[]): number {
  return new Set(columns.map((column) => JSON.stringify([column.dbId, column.table, column.column]))).size;
}

const UNCHANGED_REASONS: Readonly<Record<UnchangedReason, (bucket: string) => string>> = {
  'no name': (bucket) => `without ${bucket}: no name was accepted for them`,
  'no fitting name': (bucket) =>
    `without ${bucket}: their names clash with the schema’s or with those of other changed columns, or are much longer than the schema’s`,
};

function renderUnchanged(columns: readonly UnchangedColumn[]): readonly (Html | false)[] {
  return BUCKETS.flatMap((bucket) =>
    Object.entries(UNCHANGED_REASONS).map(([reason, words]) =>
      renderColumnList(words(bucket), unchangedIn(columns, bucket, reason as UnchangedReason)),
    ),
  );
}

function unchangedMixedWords({ mixedUnchanged = 0 }: AugmentReport['written']): string {
  return mixedUnchanged === 0
    ? ''
    : `, ${formatCount(mixedUnchanged)} of tables with both that their gold SQL does not show`;
}

function renderKeyFigures({ written, leftOut, redraws, unchangedColumns, examples }: AugmentReport): Html {
  const of = `of ${formatNoun(examples, 'example')}`;
  const { mixed, mixedUnchanged = 0 } = written;
  return html`<div class="body">
    ${renderCards([
      { label: 'Originals', figure: formatCount(written.original), gloss: of },
      {
        label: 'RPL variants',
        figure: formatCount(written.rpl - (written.rplUnchanged ?? 0)),
        gloss: of,
        className: 'rpl',
      },
      ...(written.rplUnchanged === undefined || written.rplUnchanged === 0
        ? []
        : [
            {
              label: 'RPL, gold unchanged',
              figure: formatCount(written.rplUnchanged),
              gloss: 'it names no renamed column',
            },
          ]),
      { label: 'ADD variants', figure: formatCount(written.add), gloss: of, className: 'add' },
      ...(mixed === undefined
        ? []
        : [{ label: 'Mixed variants', figure: formatCount(mixed - mixedUnchanged), gloss: of }]),
      ...(mixedUnchanged === 0
        ? []
        : [
            {
              label: 'Mixed, gold unchanged',
              figure: formatCount(mixedUnchanged),
              gloss: 'it names no renamed column',
            },
          ]),
      ...(written.mutants === undefined
        ? []
        : [{ label: 'Mutants', figure: formatCount(written.mutants), gloss: 'by relations of mutate' }]),
      { label: 'Left out', figure: formatCount(leftOut), gloss: 'variants that could not be made' },
      { label: 'Drawn again', figure: formatCount(redraws), gloss: 'names that clashed with another' },
      {
        label: 'Columns left as they are',
        figure: formatCount(countColumns(unchangedColumns)),
        gloss: BUCKETS.map((bucket) => `${bucket} ${formatCount(unchangedIn(unchangedColumns, bucket).length)}`).join(
          ', ',
        ),
      },
    ])}
  </div>`;
}

/** What each verdict says of a variant. */
const VERDICT_GLOSSES: Readonly<Record<Verdict, string>> = {
  equal: 'the rows of the original',
  tie: 'the result depends on the order of stored rows, on the original too',
  'kept-star': 'a star that --keep-star left returns the added columns',
  'bad-gold': 'the gold query fails on its own original',
  'timed-out': 'the original takes too long or returns too much',
  different: 'other rows than the original',
  failed: 'does not run on the variant',
};

const ALWAYS_SHOWN: ReadonlySet<Verdict> = new Set<Verdict>(['equal', 'different', 'failed']);

function renderVerification({ verification, literals }: AugmentReport): Html {
  const quotes = html`<p class="note">
    ${formatNoun(literals, 'double-quoted string')} of the variants’ gold SQL ${literals === 1 ? 'is' : 'are'} written
    in single quotes.
  </p>`;
  if (verification === null)
    return html`<p class="note">Not executed: no databases, or --no-verify.</p>
      ${quotes}`;
  const { RPL, ADD, mixed, mutant, leftOut, nonEmpty, withoutDatabase, otherQueries, comparison, items } = verification;
  const further = Object.entries({ Mixed: mixed, Mutants: mutant }).flatMap(([head, tally]) =>
    tally === undefined ? [] : [{ head, tally }],
  );
  const tallies = [RPL, ADD, ...further.map(({ tally }) => tally)];
  const shown = VERDICTS.filter((verdict) => ALWAYS_SHOWN.has(verdict) || tallies.some((tally) => tally[verdict] > 0));
  const rows = nonEmpty === null ? '' : ` ${(100 * nonEmpty).toFixed(1)}% of the results have rows.`;
  const absent = withoutDatabase === 0 ? '' : ` ${formatNoun(withoutDatabase, 'variant')} had no database to run on.`;
  const asked = otherQueries?.run ?? 0;
  const others =
    asked === 0 ? '' : ` Golds of mutants that ask something else only had to run: ${formatCount(asked)} did.`;
  const leftOutRow: TableRow = [
    'left out',
    ...[leftOut.RPL, leftOut.ADD].map(formatCount),
    ...further.map(() => ''),
    'no variant could be made; the reasons are below',
  ];
  return html`<p class="note">
      Every gold query was executed on its perturbed database, and its original on the original. Compared by
      ${comparison}.${rows}${absent}${others}
    </p>
    <div class="body">
      ${renderTable({
        className: 'scores',
        heads: ['Verdict', ...['RPL', 'ADD', ...further.map(({ head }) => head), 'Meaning'].map((head) => words(head))],
        rows: [
          ...shown.map((verdict): TableRow => [
            verdict,
            ...tallies.map((tally) => formatCount(tally[verdict])),
            VERDICT_GLOSSES[verdict],
          ]),
          ...(leftOut.RPL + leftOut.ADD > 0 ? [leftOutRow] : []),
        ],
      })}
      ${items.length > 0 && renderVerdicts(items)}
    </div>
    ${quotes}`;
}

function renderVerdicts(items: NonNullable<AugmentReport['verification']>['items']): Html {
  return html`<details>
    <summary>${formatNoun(items.length, 'variant')} not simply equal</summary>
    <div class="inside">
      <ul class="names">
        ${items
          .slice(0, LISTED_IDS)
          .map(({ source, kind, verdict, detail }) => html`<li>${source} ${kind}: ${verdict}, ${detail ?? ''}</li>`)}
      </ul>
    </div>
  </details>`;
}

/** Samples that are open from the start. */
const OPEN = 2;
/** Changes that are named before a sample is opened. */
const NAMED = 3;

const KIND_WORDS = { RPL: 'Renamed columns (RPL)', ADD: 'Added columns (ADD)' } as const;
const MIXED_WORDS = { mixed: 'Both (mixed)' } as const;

function renderSamples(samples: readonly ReportedSample[], written: AugmentReport['written']): Html {
  const variants = countVariants(written);
  if (samples.length === 0) return html`<p class="note">None in this run.</p>`;
  const sorted = [...samples].sort(compareSamples);
  const part =
    samples.length < variants &&
    html` Shown are ${formatCount(samples.length)} of ${formatNoun(variants, 'variant')}, chosen by a fixed rule and
    spread over the databases.`;
  return html`<p class="note">Those whose gold SQL changed come first. What changed is marked.${part}</p>
    <div class="body browser">
      ${renderFilteredList({
        id: 'sample',
        noun: 'variant',
        placeholder: 'question, SQL, name, id',
        selects: sampleSelects(sorted),
        items: sorted.map((sample, i) => renderSample(sample, i < OPEN)),
      })}
    </div>`;
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].sort(compareText);

/** The columns that a sample changed, as its filter names them. */
const columnsOf = ({ changes }: ReportedSample): readonly string[] =>
  distinct(changes.map(({ table, column }) => `${table} . ${column}`));

function sampleSelects(samples: readonly ReportedSample[]): readonly Html[] {
  const words = { ...KIND_WORDS, ...(samples.some(({ kind }) => kind === 'mixed') ? MIXED_WORDS : {}) };
  return [
    renderSelect('bucket', 'Bucket', Object.entries(words), 'RPL and ADD'),
    renderSelect('column', 'Column', distinct(samples.flatMap(columnsOf))),
    renderSelect('database', 'Database', distinct(samples.map(({ dbId }) => dbId))),
    renderSelect('query', 'Gold SQL', ['changed', 'unchanged']),
  ];
}

function renderSample(sample: ReportedSample, isOpen: boolean): Html {
  const { kind, dbId, id, question, changes, elsewhere = 0 } = sample;
  const more = Math.max(0, changes.length - NAMED) + elsewhere;
  const names = changes
    .slice(0, NAMED)
    .map(
      ({ to, change, ...column }) =>
        html`<span>${renderColumnName(column)} ${ARROWS[change ?? kind]} ${nameHtml(to)}</span>`,
    );
  return html`<li
    data-bucket="${kind}"
    data-column="${columnsOf(sample).join('\n')}"
    data-database="${dbId}"
    data-query="${isQueryChanged(sample) ? 'changed' : 'unchanged'}"
  >
    <details class="sample ${kind.toLowerCase()}" ${isOpen && 'open'}>
      <summary>
        <span class="question">${question}</span>
        <span class="line"
          ><span class="keyed">${VERBS[kind]}</span
          >${names}${more > 0 && html`<span>and ${formatCount(more)} more</span>`}<span
            >${nameHtml(dbId)} · ${id}</span
          ></span
        >
      </summary>
      <div class="inside">
        ${sample.tables.map(renderSampleTable)}${
          elsewhere > 0 &&
          html`<p class="note">
            ${formatNoun(elsewhere, 'column')} of other tables ${elsewhere === 1 ? 'is' : 'are'} changed, too.
          </p>`
        }${renderQueries(sample)}
      </div>
    </details>
  </li>`;
}

const ARROWS = { RPL: '→', ADD: '+', mixed: '→' } as const;
const VERBS = { RPL: 'Renamed', ADD: 'Added', mixed: 'Renamed and added' } as const;

function renderSampleTable({ table, tableOriginal, columns }: ReportedSample['tables'][number]): Html {
  return html`<div class="schema">
    <span class="dot">${renderName(table, tableOriginal)}:</span>
    <ul>
      ${columns.map((column) => html`<li>${renderSampleColumn(column)}</li>`)}
    </ul>
  </div>`;
}

function renderSampleColumn({ name, change, was }: SampleColumn): Html {
  if (change === 'none') return nameHtml(name);
  if (was === null) return html`<ins><mark>+ ${nameHtml(name)}</mark></ins>`;
  return html`<del>${nameHtml(was)}</del> <ins><mark>${nameHtml(name)}</mark></ins>`;
}

function renderQueries(sample: ReportedSample): Html {
  const { queryBefore, queryAfter } = sample;
  if (!isQueryChanged(sample))
    return renderSides({ label: 'Gold SQL, unchanged', content: html`<pre>${queryBefore}</pre>` });
  return renderQueryPair(['Gold SQL, before', queryBefore], ['Gold SQL, after', queryAfter]);
}

function renderLeftOut({ skipped, unchangedColumns }: AugmentReport): Html {
  if (skipped.length === 0 && unchangedColumns.length === 0) return html`<p class="note">Nothing.</p>`;
  return html`<div class="body">
    ${skipped.map(({ reason, count, ids }) => {
      const more = count > LISTED_IDS && html`<p class="note">The rest is in report.json.</p>`;
      return html`<details>
        <summary>${formatCount(count)} left out: ${reason}</summary>
        <div class="inside">
          <ul class="names">
            ${ids.slice(0, LISTED_IDS).map((id) => html`<li>${id}</li>`)}
          </ul>
          ${more}
        </div>
      </details>`;
    })}${renderUnchanged(unchangedColumns)}
  </div>`;
}
