import { COMPOSED } from '../../metamorphic/counted-relation.js';
import { abbreviation, renderTable, type RowGroup, type TableCell, words } from '../../report/data-table.js';
import { formatCount } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import { renderWideTable } from '../../report/page-parts.js';
import { expectedIn, FAILURE_WORDS } from '../expected-figures.js';
import { wordsOf } from './relation-section.js';
import type { ConsistencyCell, ConsistencyFigures, ConsistencyReport } from '../consistency-report.js';

/** Rates from which a cell has its color: none, then ever darker. */
const STEPS = [0, 0.02, 0.05, 0.15];
const STEP_NAMES = ['0 %', 'below 2 %', '2 to 5 %', '5 to 15 %', '15 % and more'];
/** Judged mutants below which a rate says little. */
const FEW = 20;

/** Class of a cell by its rate: h0 to h4. */
export function heatClass(rate: number): string {
  if (rate === 0) return 'h0';
  return `h${STEPS.filter((step) => rate >= step).length}`;
}

const shownRate = (rate: number): string => (rate > 0 && rate < 0.005 ? '<1' : String(Math.round(rate * 100)));

function cellOf(cell: ConsistencyCell | undefined, words: string): TableCell {
  if (cell === undefined || cell.rate === null) return { content: '·', className: 'none' };
  const { rate, judged, inconsistent, relation } = cell;
  const title = `${wordsOf(relation)}: ${formatCount(inconsistent)} of ${formatCount(judged)} mutants ${words}`;
  return { content: shownRate(rate), className: `${heatClass(rate)}${judged < FEW ? ' few' : ''}`, title };
}

/** What is counted of a relation: changed or, where the answer of all its mutants must not stay, wrong or not refused. */
function countedOf(figures: ConsistencyFigures | undefined): string {
  const expected = figures === undefined ? [] : expectedIn({ all: figures });
  return (expected.length === 0 ? (['kept'] as const) : expected).map((answer) => FAILURE_WORDS[answer]).join(' or ');
}

function groupOf(heading: string, cells: readonly ConsistencyCell[], relations: ReadonlyMap<string, string>): RowGroup {
  const keys = [...new Set(cells.map(({ key }) => key))];
  const find = (relation: string, key: string): ConsistencyCell | undefined =>
    cells.find((cell) => cell.relation === relation && cell.key === key);
  return {
    heading,
    rows: keys.map((key) => [
      key,
      ...Array.from(relations, ([relation, counted]) => cellOf(find(relation, key), counted)),
    ]),
  };
}

/** Keys in the order in which any relation has them first, as the report lists them. */
function inOrder<C extends ConsistencyCell>(cells: readonly C[], order: readonly string[]): readonly C[] {
  return [...cells].sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
}

/** Relation × feature of the seed's gold, and × its hardness: where a model is easily upset. */
export function renderHeatMap(
  { features, hardness, relations }: ConsistencyReport,
  order: { readonly features: readonly string[]; readonly hardness: readonly string[] },
): Html {
  const names = Object.keys(relations);
  const counted = new Map(names.map((name) => [name, countedOf(relations[name])]));
  const apart = names.filter((name) => counted.get(name) !== FAILURE_WORDS.kept);
  return html`<p class="note">
      Percent of the mutants whose prediction changed, by what the seed’s gold query has. In italics: fewer than ${FEW}
      mutants. ${apart.map((name) => `${name}: percent ${counted.get(name) ?? ''}. `)}
    </p>
    <ul class="legend heat-legend">
      ${STEP_NAMES.map((name, i) => html`<li><i class="h${i}"></i>${name}</li>`)}
    </ul>
    <p class="note">
      ${names
        .map(wordsOf)
        .filter((text, i) => text !== names[i])
        .join(' · ')}
    </p>
    ${renderWideTable(
      'Heat map',
      renderTable({
        className: 'heat',
        heads: [
          'Gold has',
          ...names.map((name) => words(abbreviation(name === COMPOSED ? 'comp.' : name, wordsOf(name)))),
        ],
        groups: [
          groupOf('Feature', inOrder(features, order.features), counted),
          groupOf('Hardness', inOrder(hardness, order.hardness), counted),
        ],
      }),
    )}`;
}
