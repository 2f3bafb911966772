interface ProgressProps {
  readonly done: number;
  readonly of: number;
  readonly label: string;
}

/** A bar of what is done. */
export function Progress({ done, of, label }: ProgressProps) {
  return (
    <svg
      class="progress"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={done}
    >
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={of === 0 ? 0 : (100 * done) / of} height="6" />
    </svg>
  );
}
