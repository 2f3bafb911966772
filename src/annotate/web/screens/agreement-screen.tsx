import type { Estimate } from '../../../report/statistics/estimate.js';
import type { AgreementReport, GroupAgreement, PairAgreement } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { itemNoun } from '../words.js';
import { Heading, Waiting } from '../parts/screen-parts.js';
import { useLoaded } from '../use-loaded.js';

const MEASURING = 'Measuring all answers… With tens of thousands of them this takes some seconds.';

/** How far annotators agree on the names of the lists. */
export function AgreementScreen() {
  const { api } = useDesk();
  const { value, away, error } = useLoaded('agreement', api.agreement);
  return (
    <div class="page agreement">
      <Heading title="Agreement" />
      {value === null ? <Waiting away={away} error={error} text={MEASURING} /> : <Figures agreement={value} />}
    </div>
  );
}

function Figures({ agreement: { overall, kinds, annotators, pairs } }: { readonly agreement: AgreementReport }) {
  const { one, many } = itemNoun(useDesk().me);
  const column = `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
  const pairHead = ['Who', column, 'Agreement', 'Cohen’s κ'];
  if (overall.items === 0) {
    return <p class="lede">There is nothing to compare yet: no {one} is handed in by two annotators.</p>;
  }
  return (
    <>
      <p class="lede">
        {overall.items} {overall.items === 1 ? one : many} with two annotators or more, {overall.candidates}{' '}
        {kinds.breaks === undefined
          ? 'listed names'
          : 'units: each word begins a sub-sentence or not, and says each clause or not'}
        . In brackets: 95% bootstrap intervals over {many}.
      </p>
      <FigureTable
        title="All annotators together"
        head={['Kind', column, 'Agreement', 'Krippendorff’s α', 'Fleiss’ κ']}
        rows={Object.entries({ All: overall, ...ratedKinds(kinds) }).map(
          ([name, { items, observed, krippendorff, fleiss }]) => ({
            name,
            items,
            figures: [observed, krippendorff, fleiss],
          }),
        )}
      />
      <FigureTable
        title="Each annotator with the others"
        head={pairHead}
        rows={annotators.map((one) => pairRow(one.annotator, one))}
      />
      {pairs.length > 1 && (
        <FigureTable
          title="Two by two"
          head={pairHead}
          rows={pairs.map((one) => pairRow(one.annotators.join(' and '), one))}
        />
      )}
    </>
  );
}

/** Of a project of questions its parts alone. */
function ratedKinds(kinds: AgreementReport['kinds']): Readonly<Record<string, GroupAgreement>> {
  const { breaks, clauses } = kinds;
  return breaks === undefined || clauses === undefined ? kinds : { Breaks: breaks, Clauses: clauses };
}

interface FigureRow {
  readonly name: string;
  readonly items: number;
  readonly figures: readonly (Estimate | null)[];
}

function pairRow(name: string, { items, observed, cohen }: PairAgreement): FigureRow {
  return { name, items, figures: [observed, cohen] };
}

interface FigureTableProps {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly FigureRow[];
}

function FigureTable({ title, head, rows }: FigureTableProps) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="scroller" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              {head.map((text) => (
                <th key={text} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, items, figures }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{items}</td>
                {figures.map((figure, index) => (
                  <Cell key={index} figure={figure} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({ figure }: { readonly figure: Estimate | null }) {
  if (figure === null) return <td class="soft">not defined</td>;
  const { value, low, high } = figure;
  return (
    <td>
      <b>{value.toFixed(2)}</b>{' '}
      <span class="figure">
        {low === null || high === null ? 'too few for an interval' : `[${low.toFixed(2)}, ${high.toFixed(2)}]`}
      </span>
    </td>
  );
}
