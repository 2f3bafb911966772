/** What the page of correlations has beyond the shared style sheet: scatter plots and tables by level. */
export const CORRELATION_STYLE = `
.scatter { --hue: var(--rpl); }
.scatter .mark { fill: var(--ink); font-size: 11px; }
.levels .num { padding-left: .75rem; }
.levels tbody + tbody th[scope=rowgroup] { padding-top: 1.25rem; }
.levels th[scope=rowgroup] { font-size: .8125rem; font-weight: 600; color: var(--soft); }
.levels .paper-row th, .levels .paper-row td { color: var(--soft); font-size: .8125rem; }
.levels .place { color: var(--soft); display: inline-block; min-width: 1.5rem; font-variant-numeric: tabular-nums; }
h3 + .plots { margin-top: .75rem; }
.plots + h3 { margin-top: 2.5rem; }
@media (max-width: 43.99rem) { .levels { font-size: .8125rem; } .levels .num { padding-left: .5rem; } .wide-table .levels { min-width: 30rem; } }
@media (min-width: 44rem) and (max-width: 59.99rem) { .plots figure.wide:first-child { grid-column: span 2; } }
`;
