/** What the page of a suite has beyond the shared style sheet: curves and neighbors. */
export const SUITE_STYLE = `
.axed { display: grid; grid-template-columns: minmax(0, 1fr) 3.25rem; }
.curve path { fill: none; stroke: var(--hue); stroke-width: 2; stroke-linejoin: round; }
.multiples { display: grid; gap: 1.5rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(10rem, 100%), 1fr)); }
.multiples figcaption { margin-bottom: .25rem; font-size: .875rem; }
.multiples figcaption span { display: inline; margin-left: .375rem; }
.published .num { padding-left: .75rem; }
.suites th[scope=row] { overflow-wrap: normal; } .suites .num { padding-left: 1rem; }
.neighbors { list-style: none; margin: 0; padding: 0; }
.neighbors > li { padding: .75rem 0 1.25rem; }
`;
