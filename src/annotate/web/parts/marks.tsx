/** A box that is ticked where its surrounding element is selected. */
export function Tick() {
  return (
    <svg class="tick" viewBox="0 0 16 16" aria-hidden="true">
      <rect x="1" y="1" width="14" height="14" rx="3.5" />
      <path d="M4.5 8.25 7 10.75l4.75-5.5" />
    </svg>
  );
}

/** Marks what is flagged for a reviewer. */
export function Flag() {
  return (
    <svg class="flag" viewBox="0 0 12 12" role="img" aria-label="flagged">
      <path d="M2.5 11V1.5h7l-1.75 2.5 1.75 2.5h-7" />
    </svg>
  );
}
