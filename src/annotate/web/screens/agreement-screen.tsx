import type { Agreement, Figure, GroupAgreement, PairAgreement } from '../api-shapes.js';
import { useDesk } from '../desk.js';
import { Heading } from '../parts/heading.js';
import { Waiting } from '../parts/waiting.js';
import { useLoaded } from '../use-loaded.js';

/** How far annotators agree on the names of the lists. */
export function AgreementScreen() {
  const { api } = useDesk();
  const { value, away, error } = useLoaded('agreement', api.agreement);
  return (
    <div class="page agreement">
      <Heading title="Agreement" />
      {value === null ? <Waiting away={away} error={error} /> : <Figures agreement={value} />}
    </div>
  );
}

function Figures({ agreement: { overall, kinds, annotators, pairs } }: { readonly agreement: Agreement }) {
  if (overall.items === 0) {
    return <p class="lede">There is nothing to compare yet: no column is handed in by two annotators.</p>;
  }
  return (
    <>
      <p class="lede">
        {overall.items} {overall.items === 1 ? 'column' : 'columns'} with two annotators or more, {overall.candidates}{' '}
        listed names. In brackets: 95 % bootstrap intervals over columns.
      </p>
      <Groups groups={{ All: overall, ...kinds }} />
      <Pairs title="Each annotator with the others" pairs={annotators.map((one) => [one.annotator, one])} />
      {pairs.length > 1 && <Pairs title="Two by two" pairs={pairs.map((one) => [one.annotators.join(' and '), one])} />}
    </>
  );
}

function Groups({ groups }: { readonly groups: Readonly<Record<string, GroupAgreement>> }) {
  return (
    <section>
      <h2>All annotators together</h2>
      <div class="scroller" tabIndex={0} role="group" aria-label="All annotators together">
        <table>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Columns</th>
              <th scope="col">Agreement</th>
              <th scope="col">Krippendorff’s α</th>
              <th scope="col">Fleiss’ κ</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(groups).map(([name, { items, observed, krippendorff, fleiss }]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{items}</td>
                <Cell figure={observed} />
                <Cell figure={krippendorff} />
                <Cell figure={fleiss} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface PairsProps {
  readonly title: string;
  readonly pairs: readonly (readonly [string, PairAgreement])[];
}

function Pairs({ title, pairs }: PairsProps) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="scroller" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Columns</th>
              <th scope="col">Agreement</th>
              <th scope="col">Cohen’s κ</th>
            </tr>
          </thead>
          <tbody>
            {pairs.map(([name, { items, observed, cohen }]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{items}</td>
                <Cell figure={observed} />
                <Cell figure={cohen} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({ figure }: { readonly figure: Figure | null }) {
  if (figure === null) return <td class="soft">not defined</td>;
  const [value, low, high] = [figure.value, figure.low, figure.high].map((number) => number.toFixed(2));
  return (
    <td>
      <b>{value}</b>{' '}
      <span class="figure">
        [{low}, {high}]
      </span>
    </td>
  );
}
