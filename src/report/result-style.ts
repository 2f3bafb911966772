/** What the pages of attacks have beyond the shared style sheet: the paper's table, fragile columns, squares and seeds of cases. */
export const ATTACK_STYLE = `
.headline figure svg { margin-top: 0; }
.paper .big { font-size: 1.25rem; font-weight: 600; letter-spacing: -.01em; }
.paper .spread { color: var(--soft); }
.paper .num { padding-left: .75rem; }
.paper .num .sub { white-space: nowrap; }
.paper th[scope=row] { max-width: 6.5rem; }
.breakdown .count { color: var(--soft); }
.breakdown .sub, .breakdown .num .sub { display: block; margin-left: 0; }
.breakdown .num { width: 4.25rem; }
.fragile .num { width: 4rem; padding-left: .5rem; } .fragile .share.share, .fragile .num:last-child { padding-left: 1rem; }
.fragile a { text-decoration-color: var(--line); }
.fragile .sub { display: block; margin-left: 0; }
.fragile .to { font-weight: 600; } .fragile .arrow { color: var(--hue-text); }
.fragile .share .meter { margin-top: .375rem; }
.compared tbody + tbody th[scope=rowgroup] { padding-top: 1.25rem; }
.compared .num { width: 5rem; }
.squares { display: inline-flex; align-items: center; gap: 3px; white-space: nowrap; min-width: 7rem; }
.squares i, .squares-legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; background: var(--track); }
.squares i:first-of-type { margin-left: 5px; }
.squares-legend { margin-top: .75rem; } .squares-legend li::before { content: none; } .squares-legend i { margin-right: .4375rem; }
.squares-legend u { text-decoration-color: var(--bad); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.squares .broken, .squares-legend .broken { background: var(--bad); } .squares .survived, .squares-legend .survived { background: var(--good); }
.squares .fixed, .squares-legend .fixed { background: none; border: 2px solid var(--good); } .squares .wrong, .squares-legend .wrong { background: var(--rejected); }
.squares .none { border: 1px dashed var(--rejected); background: none; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem 1.75rem; }
.chips { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem; font-size: .875rem; }
.chips > span { font-weight: 600; margin-right: .25rem; }
.chip { font: inherit; font-variant-numeric: tabular-nums; min-width: 2.25rem; min-height: 2rem; padding: .125rem .5rem; border-radius: 8px; border: 1px solid var(--line); background: var(--panel); color: var(--ink); cursor: pointer; }
.chip.broken { background: var(--bad-tint); } .chip.survived { background: var(--good-tint); } .chip.fixed { border-color: var(--good); }
.chip.other { opacity: .55; }
.chip[aria-pressed=true] { outline: 2px solid var(--ink); outline-offset: 1px; opacity: 1; }
.comparison { margin-top: 1.25rem; }
.comparison h4 { margin: 0; font-size: .9375rem; font-weight: 600; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem; white-space: pre-wrap; }
.comparison .meta { font-size: .8125rem; color: var(--soft); max-width: none; }
.comparison .after .label::after { content: ", perturbed"; }
.verdict.survived, .verdict.fixed { background: var(--good-tint); color: var(--good); border-color: transparent; }
.verdict.broken { background: var(--bad-tint); color: var(--bad); border-color: transparent; }
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
  .comparison .after .label::after { content: none; }
  .heads { border-bottom: 1px solid var(--line); }
  .counts.breakdown .num { width: 5rem; }
  .split .counts.breakdown .num { width: 3.75rem; padding-left: .5rem; } .split .counts.breakdown .mix { width: 24%; padding-left: 1rem; }
  .counts.fragile .num { width: 4.25rem; } .counts.fragile .num:last-child { width: 6rem; }
}
@media print {
  #cases { display: none; }
  .fragile tbody tr:nth-child(n+16) { display: none; }
  .squares i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
