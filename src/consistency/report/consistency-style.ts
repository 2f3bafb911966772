/** What the pages of consistency runs have beyond the shared style sheet: the heat map and bands. */
export const CONSISTENCY_STYLE = `
:root { --heat: 178, 84, 26; --heat-ink: #ffffff; }
@media screen and (prefers-color-scheme: dark) { :root { --heat: 224, 138, 70; --heat-ink: #15171a; } }
@media screen {
  :root[data-theme=light] { --heat: 178, 84, 26; --heat-ink: #ffffff; }
  :root[data-theme=dark] { --heat: 224, 138, 70; --heat-ink: #15171a; }
}
.heat { table-layout: fixed; min-width: 38rem; font-size: .8125rem; border-collapse: separate; border-spacing: 2px; }
.heat th, .heat td { padding: .25rem .125rem; border: 0; }
.heat thead th { text-align: center; color: var(--ink); font-size: .75rem; font-weight: 600; }
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
.bands .good { background: var(--good-tint); color: var(--good); } .bands .bad { background: var(--bad-tint); color: var(--bad); }
.bands .band { display: block; font-size: .75rem; }
.bands td { text-align: right; font-variant-numeric: tabular-nums; padding-right: .75rem; }
.bands thead th { white-space: normal; } .bands thead bdi { display: inline-block; max-width: 9rem; }
.bands thead th:not(:first-child) { text-align: right; padding-right: .75rem; }
@media (max-width: 43.99rem) {
  .heat th[scope=row], .heat thead th:first-child { width: 7.5rem; white-space: normal; }
  .wide-table > .heat { width: 38rem; }
}
`;
