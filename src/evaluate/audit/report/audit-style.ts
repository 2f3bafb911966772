/** What the page of an audit has beyond the shared style sheet. */
export const AUDIT_STYLE = `
.cases .scroll { max-height: 16rem; }
.cases .scroll th, .cases .scroll td { padding: .25rem .75rem; font-size: .875rem; white-space: nowrap; }
#finding-list pre + .scroll { margin-top: .5rem; }
.cases .question { font-weight: 500; }
.inside .asked { margin: .25rem 0 .75rem; max-width: none; }
.classes .level { white-space: nowrap; color: var(--soft); }
.classes .note { display: block; max-width: none; }
`;
