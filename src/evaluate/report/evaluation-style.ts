/** What the page of an evaluation has beyond the shared style sheet: the few rows that show why a pair is wrong. */
export const EVALUATION_STYLE = `
.small-tables { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: flex-start; padding: .25rem 0 .625rem; }
.small-tables > div { flex: 0 1 auto; min-width: 0; max-width: 100%; }
.small-tables .label { color: var(--soft); font-size: .8125rem; margin-bottom: .25rem; }
.inside h4 { margin: 1rem 0 .25rem; font-size: .9375rem; font-weight: 600; }
.cases .scroll { max-height: 24rem; }
.cases .scroll th, .cases .scroll td { padding: .25rem .75rem; font-size: .875rem; white-space: nowrap; }
tr.differs td { background: var(--bad-tint); }
.cases .question { font: .875rem/1.5 var(--mono); }
`;
