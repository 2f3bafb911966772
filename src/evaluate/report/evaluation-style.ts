/** What the page of an evaluation has beyond the pages of attacks. */
export const EVALUATION_STYLE = `
.small-tables { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: flex-start; padding: .25rem 0 .625rem; }
.small-tables > div { flex: 0 1 auto; min-width: 0; max-width: 100%; }
.small-tables .label, .pair .label { color: var(--soft); font-size: .8125rem; margin-bottom: .25rem; }
.inside h4 { margin: 1rem 0 .25rem; font-size: .9375rem; font-weight: 600; }
.cases .scroll { max-height: 24rem; }
.cases .scroll th, .cases .scroll td { padding: .25rem .75rem; font-size: .875rem; white-space: nowrap; }
.cases .pair .after .label::after { content: none; }
/* All metrics fit beside each other on a phone; what is still cut off has a shade at its edge. */
@media (max-width: 43.99rem) {
  .scores { font-size: .8125rem; } .scores .num { padding-left: .375rem; } .scores th { overflow-wrap: normal; }
  .scores thead th, .scores .sub { font-size: .6875rem; white-space: normal; }
  .wide-table {
    background: linear-gradient(to left, var(--paper) 40%, transparent) right / 2rem 100% no-repeat local,
      linear-gradient(to left, var(--soft), transparent) right / .75rem 100% no-repeat scroll;
  }
}
tr.differs td { background: var(--bad-tint); }
.cases .question { font: .875rem/1.5 var(--mono); }
.cases li[hidden] { display: none; }
`;
