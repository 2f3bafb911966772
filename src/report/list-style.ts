/** Lists of cases with filters, verdicts, and queries before and after: the part of every page's style for `.cases`. */
export const LIST_STYLE = `
.filters { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .625rem .75rem; }
.filters label { display: flex; flex-direction: column; gap: .25rem; font-size: .8125rem; color: var(--soft); min-width: 0; }
.filters .wide { grid-column: 1 / -1; }
.filters input, .filters select { font: inherit; font-size: 1rem; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .4375rem .625rem; width: 100%; min-height: 2.5rem; }
.found { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; margin-top: 1rem; font-size: .875rem; color: var(--soft); }
button.plain { font: inherit; color: var(--ink); background: none; border: 0; padding: .125rem 0; cursor: pointer; text-decoration: underline; text-decoration-color: var(--rejected); text-underline-offset: .2em; text-align: left; }
.cases { list-style: none; margin: .5rem 0 0; padding: 0; border-top: 1px solid var(--line); }
.cases details { scroll-margin-top: 1rem; }
.cases summary { display: grid; gap: .125rem; padding: .75rem 0 .75rem 1.375rem; position: relative; list-style: none; }
.cases summary::-webkit-details-marker { display: none; }
.cases summary::before { content: "›"; position: absolute; left: .25rem; top: .75rem; color: var(--soft); font-size: 1.25rem; line-height: 1.1; }
.cases details[open] summary::before { transform: rotate(90deg); }
.cases summary:hover .question { text-decoration: underline; text-decoration-color: var(--rejected); text-underline-offset: .2em; }
.cases details[open] .question { font-weight: 600; }
.line { display: flex; flex-wrap: wrap; gap: .125rem 1rem; align-items: center; font-size: .8125rem; color: var(--soft); }
.line .meta { flex: 1 1 14rem; }
.cases .inside { padding: 0 0 1.5rem 1.375rem; }
.pair { display: grid; gap: .75rem 1.5rem; grid-template-columns: minmax(0, 1fr); padding: .625rem 0; }
.pair > div { min-width: 0; }
.pair .label { color: var(--soft); font-size: .8125rem; margin-bottom: .25rem; }
.pair .table { font-size: .9375rem; }
.verdicts { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .5rem; }
.verdict { font-size: .75rem; font-weight: 500; line-height: 1.5; padding: 0 .4375rem; border-radius: 99px; white-space: nowrap; border: 1px solid var(--line); color: var(--soft); }
.verdict.good { background: var(--good-tint); color: var(--good); border-color: transparent; }
.verdict.bad { background: var(--bad-tint); color: var(--bad); border-color: transparent; }
mark.rpl { background: var(--rpl-tint); } mark.add { background: var(--add-tint); }
mark.stale { background: var(--bad-tint); color: var(--bad); }
pre u { text-decoration: underline; text-decoration-color: var(--bad); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.cases li[hidden], .found [hidden] { display: none; }
.cases .meta { color: var(--soft); font-size: .8125rem; max-width: none; }
.pair p { max-width: none; }
p.none { color: var(--bad); font-size: .9375rem; }
@media (min-width: 44rem) {
  .filters { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
  .pair:not(.one) { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
`;
