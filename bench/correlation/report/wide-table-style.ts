/** Tables of rates, which scroll sideways on a phone. */
export const WIDE_TABLE_STYLE = `
.rates { font-size: .9375rem; }
.rates .name { color: var(--soft); font-size: .8125rem; display: block; }
.rates .big { font-weight: 600; }
.headline figure svg { margin-top: 0; }
.rates tfoot th, .rates tfoot td { border-bottom: 0; border-top: 2px solid var(--line); }
/* A table of seven columns needs its room: next to its plot where both have it. */
@media (min-width: 60rem) and (max-width: 65.99rem) { .headline:has(> .wide-table .rates) { grid-template-columns: minmax(0, 1fr); } }
@media (min-width: 66rem) {
  .headline:has(> .wide-table .rates) { grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); column-gap: clamp(1.5rem, 3vw, 2.5rem); }
  .headline .rates .num { padding-left: .625rem; }
}
@media (max-width: 43.99rem) {
  .rates { font-size: .8125rem; } .rates .num { padding-left: .375rem; } .rates .name, .rates .sub { font-size: .6875rem; }
  .wide-table .rates:not(.few) { min-width: 27rem; }
  /* A shadow at the cut edge, over colored cells; at the end of the table a strip of the page's color lies on it. */
  .wide-table { display: flex; background: none; }
  .wide-table > table { flex: 1 0 auto; width: auto; } .wide-table > .few { flex-shrink: 1; }
  .wide-table::before, .wide-table::after { content: ""; flex: none; width: 1.25rem; position: relative; z-index: 2; }
  .wide-table::before { order: 2; margin-left: -1.25rem; position: sticky; right: 0; z-index: 1; pointer-events: none; background: linear-gradient(to right, transparent, var(--soft)); opacity: .6; }
  .wide-table::after { order: 1; background: var(--paper); }
}
`;
