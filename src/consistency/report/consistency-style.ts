/** What the pages of consistency runs have beyond the shared style sheet and that of attacks: the heat map and the clusters. */
export const CONSISTENCY_STYLE = `
:root { --heat: 178, 84, 26; --heat-ink: #ffffff; }
@media screen and (prefers-color-scheme: dark) { :root { --heat: 224, 138, 70; --heat-ink: #15171a; } }
@media screen {
  :root[data-theme=light] { --heat: 178, 84, 26; --heat-ink: #ffffff; }
  :root[data-theme=dark] { --heat: 224, 138, 70; --heat-ink: #15171a; }
}
.rates { font-size: .9375rem; }
.rates .name { color: var(--soft); font-size: .8125rem; display: block; }
.rates .big { font-weight: 600; }
.rates tfoot th, .rates tfoot td { border-bottom: 0; border-top: 2px solid var(--line); }
.heat { table-layout: fixed; min-width: 38rem; font-size: .8125rem; border-collapse: separate; border-spacing: 2px; }
.heat th, .heat td { padding: .25rem .125rem; border: 0; }
.heat thead th { text-align: center; color: var(--ink); font-weight: 600; }
.heat th[scope=row] { width: 11.5rem; color: var(--ink); padding-right: .5rem; white-space: nowrap; }
.heat thead th:first-child { width: 11.5rem; text-align: left; }
.heat th[scope=rowgroup] { padding-top: .75rem; color: var(--soft); }
.heat td { text-align: center; border-radius: 4px; font-variant-numeric: tabular-nums; height: 1.875rem; vertical-align: middle; }
.heat td.none { color: var(--soft); }
.heat .h0 { background: var(--track); color: var(--soft); }
.heat .h1, .heat-legend .h1 { background: rgba(var(--heat), .14); }
.heat .h2, .heat-legend .h2 { background: rgba(var(--heat), .26); }
.heat .h3, .heat-legend .h3 { background: rgba(var(--heat), .4); }
.heat .h4, .heat-legend .h4 { background: rgb(var(--heat)); }
.heat td.h4 { color: var(--heat-ink); }
.heat-legend .h0 { background: var(--track); }
.heat-legend li { display: flex; align-items: center; } .heat-legend li::before { content: none; }
.heat-legend i { display: inline-block; width: .875rem; height: .875rem; border-radius: 3px; margin-right: .4375rem; }
.heat .few { font-style: italic; }
.clusters { border-top: 1px solid var(--line); margin-top: .625rem; }
.clusters summary { display: flex; flex-wrap: wrap; gap: .125rem 1rem; align-items: baseline; position: relative; padding-left: 1.125rem; list-style: none; }
.clusters summary::-webkit-details-marker { display: none; }
.clusters summary::before { content: "›"; position: absolute; left: .125rem; top: .5rem; color: var(--soft); font-size: 1.25rem; line-height: 1.2; }
.clusters details[open] summary::before { transform: rotate(90deg); }
.clusters .inside { padding-left: 1.125rem; }
.clusters summary .what { flex: 1 1 14rem; }
.clusters summary .count { color: var(--soft); font-size: .875rem; font-variant-numeric: tabular-nums; }
.clusters summary:hover .what { text-decoration: underline; text-decoration-color: var(--rejected); text-underline-offset: .2em; }
.clusters .inside .meta { color: var(--soft); font-size: .8125rem; max-width: none; }
.sides { display: grid; gap: .75rem 1.5rem; grid-template-columns: minmax(0, 1fr); margin-top: .875rem; }
.sides h4 { margin: 0 0 .25rem; font-size: .8125rem; font-weight: 400; color: var(--soft); }
.sides p { max-width: none; }
.sides .none { color: var(--bad); font-size: .9375rem; }
.bands .good { background: var(--good-tint); color: var(--good); } .bands .bad { background: var(--bad-tint); color: var(--bad); }
.bands .band { display: block; font-size: .75rem; }
.bands td { text-align: right; font-variant-numeric: tabular-nums; padding-right: .75rem; }
.bands thead th { white-space: normal; }
.bands thead th:not(:first-child) { text-align: right; padding-right: .75rem; }
@media (max-width: 43.99rem) {
  .rates { font-size: .8125rem; } .rates .num { padding-left: .375rem; } .rates .name, .rates .sub { font-size: .6875rem; }
  .wide-table .rates { min-width: 27rem; }
  .heat th[scope=row], .heat thead th:first-child { width: 7.5rem; white-space: normal; }
  /* A shadow at the cut edge, over colored cells; at the end of the table a strip of the page's color lies on it. */
  .wide-table { display: flex; }
  .wide-table > table { flex: 1 0 auto; width: auto; } .wide-table > .heat { width: 38rem; }
  .wide-table::before, .wide-table::after { content: ""; flex: none; width: 1.25rem; position: relative; z-index: 2; }
  .wide-table::before { order: 2; margin-left: -1.25rem; position: sticky; right: 0; z-index: 1; pointer-events: none; background: linear-gradient(to right, transparent, var(--soft)); opacity: .6; }
  .wide-table::after { order: 1; background: var(--paper); }
}
@media (min-width: 44rem) { .sides { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media print { .clusters details:not([open]) > .inside { display: none; } }
`;
