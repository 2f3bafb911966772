/** Lists of cases with filters, verdicts, and queries before and after: the part of every page's style for `.cases`. */
const LIST_STYLE = `
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

const LIGHT = `
  --paper: #fbfaf7; --panel: #ffffff; --ink: #1d2126; --soft: #5c636b; --line: #e3dfd7; --track: #ece8e0;
  --rpl: #1f6f8b; --add: #9c6215; --rejected: #a19c93; --rejected-text: #6b665e; --tint: .09;
  --good: #2b7247; --bad: #b0392f; --good-tint: #e3f1e7; --bad-tint: #f9e4e1; --rpl-tint: #d6eaf1; --add-tint: #f8e6c9;
  --mark: #fbe9c8; --warn-paper: #fdf3df; --warn-line: #e2bd78; --focus: #1f6f8b;
`.trim();
const DARK = `
  --paper: #15171a; --panel: #1c1f23; --ink: #e7e5e0; --soft: #a8acb1; --line: #31353b; --track: #2a2e33;
  --rpl: #6cb8d2; --add: #e0a656; --rejected: #6f7276; --rejected-text: #a8acb1; --tint: .13;
  --good: #79c796; --bad: #ee8d80; --good-tint: #20372a; --bad-tint: #46231f; --rpl-tint: #1d4353; --add-tint: #4f3816;
  --mark: #4d3c1c; --warn-paper: #2a2419; --warn-line: #6d5628; --focus: #6cb8d2;
`.trim();

/**
 * The style sheet of every report page: no file, font or picture is loaded. Light and dark follow the reader's system, or
 * what the reader chose with the page's button; paper is always light.
 */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  ${LIGHT}
  --sans: "Inter", "Segoe UI", "Helvetica Neue", Roboto, "Liberation Sans", Arial, system-ui, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
@media screen {
  :root[data-theme=light] { color-scheme: light; ${LIGHT} }
  :root[data-theme=dark] { color-scheme: dark; ${DARK} }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 3.75rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink); font: 400 1rem/1.55 var(--sans);
  font-variant-numeric: lining-nums; overflow-wrap: anywhere;
}
header, nav, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: clamp(1.5rem, 3vw, 2rem); }
.answer { display: grid; gap: 1.5rem clamp(2rem, 5vw, 4rem); grid-template-columns: minmax(0, 1fr); }
.answer > * { min-width: 0; } .answer figure { justify-content: center; } .answer figure svg { margin-top: 0; }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--soft); font-size: .8125rem; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; margin: 0; }
h1 { font-size: clamp(1.625rem, 1.25rem + 1.2vw, 2rem); font-weight: 650; letter-spacing: -.025em; max-width: 34ch; }
h2 { font-size: 1.375rem; font-weight: 650; }
h3 { font-size: 1rem; font-weight: 650; letter-spacing: 0; }
p { margin: 0; max-width: 68ch; }
code { font: .875em/1.4 var(--mono); }
.eyebrow { color: var(--soft); font-size: .875rem; margin-bottom: .75rem; }
.lede { margin-top: 1rem; font-size: 1.125rem; line-height: 1.5; color: var(--soft); max-width: 62ch; }
.note { color: var(--soft); font-size: .875rem; margin-top: .375rem; max-width: 92ch; }
nav { margin-top: 1.5rem; position: sticky; top: 0; z-index: 4; background: var(--paper); box-shadow: 0 -1px var(--line) inset, 0 1px var(--line) inset; }
nav { display: flex; align-items: center; justify-content: space-between; gap: 1.25rem; }
nav ul { list-style: none; margin: 0; padding: .375rem 1.5rem .375rem 0; display: flex; gap: .25rem 1.25rem; font-size: .875rem; overflow-x: auto; scrollbar-width: none; white-space: nowrap; mask-image: linear-gradient(to left, transparent, #000 1.5rem); }
.theme { flex: none; font: inherit; font-size: .875rem; color: var(--soft); background: none; border: 0; padding: .25rem 0; margin: .375rem 0; cursor: pointer; white-space: nowrap; }
.theme:hover { color: var(--ink); text-decoration: underline; text-underline-offset: .2em; }
a { color: var(--ink); text-decoration-color: var(--rejected); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
nav a { display: inline-block; padding: .25rem 0; text-decoration: none; color: var(--soft); }
nav a:hover { color: var(--ink); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main > section { margin-top: clamp(2.5rem, 5vw, 4rem); }
.split { display: grid; gap: clamp(2.5rem, 5vw, 4rem) clamp(2rem, 5vw, 4rem); grid-template-columns: minmax(0, 1fr); }
.split > * { min-width: 0; }
.body { margin-top: 1.25rem; }

.warnings { margin-top: 1.25rem; padding: 0 1.125rem; border: 1px solid var(--warn-line); background: var(--warn-paper); border-radius: 8px; font-size: .9375rem; }
.warnings details { border: 0; } .warnings summary { font-weight: 600; padding: .3125rem 0; }
.warnings ul { margin: 0 0 .875rem; padding-left: 1.125rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: .625rem 0 0; padding: 0; font-size: .8125rem; color: var(--soft); }
.legend li::before { content: ""; display: inline-block; width: .625rem; height: .625rem; border-radius: 2px; margin-right: .4375rem; background: var(--hue); }
.rpl { --hue: var(--rpl); --hue-text: var(--rpl); } .add { --hue: var(--add); --hue-text: var(--add); }
.rejected { --hue: var(--rejected); --hue-text: var(--rejected-text); }
.original { --hue: var(--ink); --hue-text: var(--ink); }
.good { --hue: var(--good); --hue-text: var(--good); } .bad { --hue: var(--bad); --hue-text: var(--bad); }
.keyed { color: var(--hue-text); }

svg { display: block; overflow: visible; }
svg text { font-family: var(--sans); font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.meter { overflow: hidden; border-radius: 3px; }
rect.rpl, rect.add, rect.rejected, rect.original, rect.soft, rect.good, rect.bad, .bar { fill: var(--hue); }
.track { fill: var(--track); }
.accepted { fill: var(--hue); opacity: var(--tint); }
svg .lane-label { font-weight: 600; fill: var(--hue-text); }
.baseline { stroke: var(--line); }
.threshold { stroke: var(--ink); stroke-dasharray: 2 3; opacity: .75; }
svg .threshold-label { fill: var(--ink); }
svg .grid { stroke: var(--line); } svg .zero, svg .same { stroke: var(--soft); stroke-dasharray: 2 3; }
.rail { stroke: var(--track); stroke-width: 2; }
.intervals .span, .series .span { stroke: var(--hue); stroke-width: 3; opacity: .45; }
.intervals .seed { stroke: var(--hue); opacity: .6; }
.intervals .lane-count, .series .lane-count { fill: var(--ink); }
.mean { fill: var(--hue); stroke: var(--panel); stroke-width: 1.5; }
svg .group { font-weight: 600; fill: var(--ink); font-size: 13px; }
.plots { display: grid; gap: 2.5rem clamp(2rem, 5vw, 3.5rem); grid-template-columns: minmax(0, 1fr); }
figure { margin: 0; min-width: 0; display: flex; flex-direction: column; }
figure svg { margin-top: auto; }
figcaption { margin-bottom: .75rem; }
figcaption span { display: block; color: var(--soft); font-size: .8125rem; line-height: 1.45; margin-top: .125rem; }

table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; color: var(--soft); font-size: .8125rem; padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem 0 .5rem .875rem; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
thead tr > * { color: var(--soft); font-size: .8125rem; vertical-align: bottom; white-space: nowrap; }
.num { text-align: right; font-variant-numeric: tabular-nums lining-nums; white-space: nowrap; }
.sub { display: block; color: var(--soft); font-size: .8125rem; line-height: 1.45; }
.zero { color: var(--soft); }
/* A word is not cut: a table that is too wide then scrolls. */
.scroll th[scope=row], .wide-table th[scope=row], .wide-table td, .scores th { overflow-wrap: break-word; }
.inside table + table, .contrast + table { margin-top: 1.75rem; }
h3 + table, h3 + .contrast, h3 + .stacked { margin-top: .75rem; }
/* What is cut off has a shade at its edge. */
.wide-table {
  overflow-x: auto;
  background: linear-gradient(to left, var(--paper) 40%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--rejected), transparent) right / .75rem 100% no-repeat scroll;
}
.meters { list-style: none; margin: 0; padding: 0; display: grid; gap: .875rem; }
.meters li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .375rem 1rem; align-items: baseline; }
.meters .meter { grid-column: 1 / -1; }
.meters .value { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.meters .gloss { color: var(--soft); font-size: .8125rem; display: inline-block; min-width: 3.25rem; }
.meters code { color: var(--soft); font-size: .75rem; display: inline-block; max-width: 100%; }
.tag { display: inline-block; font-size: .75rem; line-height: 1.3; padding: .0625rem .4375rem; border-radius: 99px; border: 1px solid var(--line); color: var(--soft); white-space: nowrap; }
.tag.warn { border-color: var(--warn-line); background: var(--warn-paper); color: var(--ink); }

.scroll { max-height: min(36rem, 75vh); overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
.scroll table { border-collapse: separate; border-spacing: 0; }
.scroll th:first-child, .scroll td:first-child { padding-left: 1rem; }
.scroll th:last-child, .scroll td:last-child, .scroll .num:last-child { padding-right: 1rem; }
.scroll thead tr > * { position: sticky; top: 0; background: var(--panel); }
.scroll tbody tr:last-child > * { border-bottom: 0; }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .875rem; margin-bottom: .75rem; font-size: .875rem; color: var(--soft); }
.filter[hidden] { display: none; }
.filter input { font: inherit; font-size: 1rem; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .4375rem .75rem; width: 16rem; max-width: 100%; }
.filter label { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th button:hover { color: var(--ink); }
th button::after { content: "↕"; opacity: .35; margin-left: .25rem; }
th[aria-sort=ascending] button, th[aria-sort=descending] button { color: var(--ink); }
th[aria-sort=ascending] button::after { content: "↑"; opacity: 1; }
th[aria-sort=descending] button::after { content: "↓"; opacity: 1; }

.dot { color: var(--soft); }
details { border-bottom: 1px solid var(--line); }
details.more { border: 0; margin-top: .75rem; }
summary { cursor: pointer; padding: .625rem 0; }
details > .inside { padding-bottom: 1.25rem; }
.names .sub { display: inline; margin-left: .25rem; }
.names { columns: 15rem; column-gap: 2rem; list-style: none; margin: 0; padding: 0; font-size: .875rem; }
.names li { break-inside: avoid; padding: .125rem 0; }
.facts { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0; font-size: .9375rem; }
.facts > div { padding: .5rem 0; border-bottom: 1px solid var(--line); display: flex; gap: .25rem 1rem; justify-content: space-between; flex-wrap: wrap; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; font-variant-numeric: tabular-nums; }

pre { margin: 0; font: .8438rem/1.6 var(--mono); white-space: pre-wrap; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .75rem .875rem; }
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0 .125rem; }
del { color: var(--soft); } ins { text-decoration: none; }

@media (max-width: 43.99rem) {
  /* The open case is within the first screen of a phone. */
  header { padding-top: 1rem; } .eyebrow { font-size: .8125rem; margin-bottom: .375rem; }
  h1 { font-size: 1.375rem; } h2 { font-size: 1.1875rem; }
  .lede, .answer .lede { margin-top: .5rem; font-size: .9375rem; line-height: 1.4; }
  .answer { gap: .875rem; } .answer .meters { gap: .5rem; } .answer .meters li { gap: .1875rem 1rem; font-size: .875rem; }
  .answer figcaption { margin-bottom: .5rem; font-size: .875rem; line-height: 1.3; }
  .warnings { margin-top: .75rem; padding: 0 .75rem; font-size: .875rem; } .warnings summary { padding: .25rem 0; }
  nav { margin-top: .75rem; gap: .75rem; } nav ul { padding: .25rem 1.5rem .25rem 0; }
  .theme { margin: .25rem 0; }
  .note { font-size: .8125rem; line-height: 1.4; } .body { margin-top: .75rem; }
  main > section:first-child { margin-top: 1rem; }
  .scroll th:first-child, .scroll td:first-child { padding-left: .75rem; }
  .scroll th:last-child, .scroll td:last-child { padding-right: .75rem; }
  .scores { font-size: .8125rem; } .scores .num { padding-left: .375rem; }
  .scores thead th, .scores .sub { font-size: .6875rem; white-space: normal; }
}
@media (min-width: 60rem) { .answer { grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); } }
@media (min-width: 44rem) {
  .plots { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  :not(.stacked) > .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 4rem; }
  :not(.stacked) > .meters { gap: .625rem; }
  :not(.stacked) > .meters li { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) 7.5rem; align-items: center; }
  :not(.stacked) > .meters .meter { grid-column: 2; grid-row: 1; }
}
@media (min-width: 60rem) {
  .split { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .plots { grid-template-columns: repeat(6, minmax(0, 1fr)); }
  .plots figure { grid-column: span 2; }
  .plots figure.wide { grid-column: span 3; }
}
@media print {
  html { font-size: 11px; } svg text { font-size: 9px; } body { background: none; }
  @page { margin: 14mm; }
  nav, .filter, .theme, details.more:not([open]) { display: none; }
  header { padding-top: 0; } header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  main > section { margin-top: 1.75rem; }
  .split { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.5rem 2rem; }
  .scroll { max-height: none; overflow: visible; border: 0; border-radius: 0; }
  .scroll thead tr > * { position: static; background: none; }
  .scroll th:first-child, .scroll td:first-child { padding-left: 0; }
  .scroll thead { display: table-row-group; } th button::after { content: none !important; }
  th, td { padding-top: .3125rem; padding-bottom: .3125rem; }
  section { break-inside: auto; } tr, figure { break-inside: avoid; }
  h2, h3, .legend, thead { break-after: avoid; }
  a { text-decoration: none; }
  .legend li::before, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
${LIST_STYLE}`;
