/** What the pages of attacks have beyond the shared style sheet: verdicts, intervals, the case browser. */
export const ATTACK_STYLE = `
:root { --good: #2b7247; --bad: #b0392f; --good-tint: #e3f1e7; --bad-tint: #f9e4e1; --rpl-tint: #d6eaf1; --add-tint: #f8e6c9; }
@media screen and (prefers-color-scheme: dark) {
  :root { --good: #79c796; --bad: #ee8d80; --good-tint: #20372a; --bad-tint: #46231f; --rpl-tint: #1d4353; --add-tint: #4f3816; }
}
@media screen {
  :root[data-theme=light] { --good: #2b7247; --bad: #b0392f; --good-tint: #e3f1e7; --bad-tint: #f9e4e1; --rpl-tint: #d6eaf1; --add-tint: #f8e6c9; }
  :root[data-theme=dark] { --good: #79c796; --bad: #ee8d80; --good-tint: #20372a; --bad-tint: #46231f; --rpl-tint: #1d4353; --add-tint: #4f3816; }
}
.original { --hue: var(--ink); --hue-text: var(--ink); }
.good { --hue: var(--good); --hue-text: var(--good); } .bad { --hue: var(--bad); --hue-text: var(--bad); }
.composition rect.good, .composition rect.bad { fill: var(--hue); }
.headline figure svg { margin-top: 0; }
.paper .big { font-size: 1.25rem; font-weight: 600; letter-spacing: -.01em; }
.paper .spread { color: var(--soft); }
.paper .num { padding-left: .75rem; }
.paper .num .sub { white-space: nowrap; }
.paper th[scope=row] { max-width: 6.5rem; }
.inside table + table, .contrast + table { margin-top: 1.75rem; }
h3 + table, h3 + .contrast, h3 + .stacked { margin-top: .75rem; }
.breakdown .count { color: var(--soft); }

.intervals .grid { stroke: var(--line); } .intervals .zero { stroke: var(--soft); stroke-dasharray: 2 3; }
.intervals .rail, .dumbbell .rail { stroke: var(--track); stroke-width: 2; }
.intervals .span { stroke: var(--hue); stroke-width: 3; opacity: .45; }
.intervals .seed { stroke: var(--hue); opacity: .6; }
.mean { fill: var(--hue); stroke: var(--panel); stroke-width: 1.5; }
svg .group { font-weight: 600; fill: var(--ink); font-size: 13px; }
.intervals .lane-count { fill: var(--ink); }
.dumbbell .span { stroke: var(--rejected); stroke-width: 2; }
.dumbbell { overflow: hidden; }
.breakdown .sub, .breakdown .num .sub { display: block; margin-left: 0; }
.breakdown .num { width: 4.25rem; }
.fragile .num { width: 4rem; padding-left: .5rem; } .fragile .share.share, .fragile .num:last-child { padding-left: 1rem; }
.fragile a { text-decoration-color: var(--line); }
.fragile .sub { display: block; margin-left: 0; }
.fragile .to { font-weight: 600; } .fragile .arrow { color: var(--hue-text); }
.fragile .share .meter { margin-top: .375rem; }
.scroll .num:last-child { padding-right: 1rem; }

.wide-table { overflow-x: auto; } .compared tbody + tbody th[scope=rowgroup] { padding-top: 1.25rem; }
.compared .num { width: 5rem; }

.filters { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .625rem .75rem; }
.filters label { display: flex; flex-direction: column; gap: .25rem; font-size: .8125rem; color: var(--soft); min-width: 0; }
.filters .wide { grid-column: 1 / -1; }
.filters input, .filters select { font: inherit; font-size: 1rem; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .4375rem .625rem; width: 100%; min-height: 2.5rem; }
.found { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; margin-top: 1rem; font-size: .875rem; color: var(--soft); }
.found [hidden] { display: none; }
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
.squares { display: inline-flex; align-items: center; gap: 3px; white-space: nowrap; min-width: 7rem; }
.squares i, .squares-legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; background: var(--track); }
.squares i:first-of-type { margin-left: 5px; }
.squares-legend { margin-top: .75rem; } .squares-legend li::before { content: none; } .squares-legend i { margin-right: .4375rem; }
.squares-legend u { text-decoration-color: var(--bad); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.squares .broken, .squares-legend .broken { background: var(--bad); } .squares .survived, .squares-legend .survived { background: var(--good); }
.squares .fixed, .squares-legend .fixed { background: none; border: 2px solid var(--good); } .squares .wrong, .squares-legend .wrong { background: var(--rejected); }
.squares .none { border: 1px dashed var(--rejected); background: none; }
.cases .inside { padding: 0 0 1.5rem 1.375rem; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem 1.75rem; }
.chips { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem; font-size: .875rem; }
.chips > span { font-weight: 600; margin-right: .25rem; }
.chip { font: inherit; font-variant-numeric: tabular-nums; min-width: 2.25rem; min-height: 2rem; padding: .125rem .5rem; border-radius: 8px; border: 1px solid var(--line); background: var(--panel); color: var(--ink); cursor: pointer; }
.chip.broken { background: var(--bad-tint); } .chip.survived { background: var(--good-tint); } .chip.fixed { border-color: var(--good); }
.chip.other { opacity: .55; }
.chip[aria-pressed=true] { outline: 2px solid var(--ink); outline-offset: 1px; opacity: 1; }
.comparison { margin-top: 1.25rem; }
.comparison h4 { margin: 0; font-size: .9375rem; font-weight: 600; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem; white-space: pre-wrap; }
.pair { display: grid; gap: .75rem 1.5rem; grid-template-columns: minmax(0, 1fr); padding: .625rem 0; }
.pair > div { min-width: 0; }
.pair .label { color: var(--soft); font-size: .8125rem; margin-bottom: .25rem; }
.pair .after .label::after { content: ", perturbed"; }
.pair .table { font-size: .9375rem; }
.pair .none { color: var(--bad); font-size: .9375rem; }
.verdicts { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .5rem; }
.verdict { font-size: .75rem; font-weight: 500; line-height: 1.5; padding: 0 .4375rem; border-radius: 99px; white-space: nowrap; border: 1px solid var(--line); color: var(--soft); }
.verdict.good, .verdict.survived, .verdict.fixed { background: var(--good-tint); color: var(--good); border-color: transparent; }
.verdict.bad, .verdict.broken { background: var(--bad-tint); color: var(--bad); border-color: transparent; }
.comparison .meta { font-size: .8125rem; color: var(--soft); max-width: none; }
mark.rpl { background: var(--rpl-tint); } mark.add { background: var(--add-tint); }
mark.stale { background: var(--bad-tint); color: var(--bad); }
pre u { text-decoration: underline; text-decoration-color: var(--bad); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.pager { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: 1rem; font-size: .875rem; color: var(--soft); }
.pager button { font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .4375rem 1rem; cursor: pointer; min-height: 2.5rem; }
.pager button:disabled { color: var(--soft); opacity: .6; cursor: default; }

@media (max-width: 43.99rem) {
  .heads .before { display: none; }
  .breakdown { font-size: .875rem; } .breakdown .num { width: auto; padding-left: .5rem; } .breakdown .sub { font-size: .75rem; }
  .body:not(.scroll) > .breakdown .num:nth-last-child(2), .split .breakdown .num:nth-last-child(2) { padding-right: 0; }
  .compared { font-size: .8125rem; } .compared .num { width: auto; padding-left: .5rem; } .compared .sub, .compared thead th.num { font-size: .6875rem; }
  .paper { font-size: .875rem; } .paper .num { padding-left: .375rem; } .paper .big { font-size: 1.0625rem; } .paper .sub { font-size: .6875rem; white-space: normal !important; }
  .paper .spread { display: block; font-size: .75rem; }
}
@media (min-width: 44rem) {
  .filters { grid-template-columns: repeat(6, minmax(0, 1fr)); }
  .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .pair .after .label::after { content: none; }
  .heads { border-bottom: 1px solid var(--line); }
  .counts.breakdown .num { width: 5rem; }
  .split .counts.breakdown .num { width: 3.75rem; padding-left: .5rem; } .split .counts.breakdown .mix { width: 24%; padding-left: 1rem; }
  .counts.fragile .num { width: 4.25rem; } .counts.fragile .num:last-child { width: 6rem; }
}
@media print {
  html { font-size: 11px; } svg text { font-size: 9px; }
  @page { margin: 14mm; }
  header { padding-top: 0; } header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  #cases, .theme, details.more:not([open]) { display: none; }
  .split { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.5rem 2rem; }
  .scroll { border: 0; border-radius: 0; } .scroll thead tr > * { position: static; background: none; }
  .scroll th:first-child, .scroll td:first-child { padding-left: 0; }
  .scroll thead { display: table-row-group; } th button::after { content: none !important; }
  th, td { padding-top: .3125rem; padding-bottom: .3125rem; }
  .fragile tbody tr:nth-child(n+16) { display: none; }
  a { text-decoration: none; }
  h2, h3, .legend, thead { break-after: avoid; }
  main > section { margin-top: 1.75rem; }
  .legend li::before, .squares i, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
