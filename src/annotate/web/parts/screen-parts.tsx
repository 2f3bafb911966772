import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

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

interface WaitingProps {
  readonly away: boolean;
  readonly error?: Error | null;
  /** The text shown while all is well. */
  readonly text?: string;
}

/** Renders a placeholder until a screen has the data it needs. */
export function Waiting({ away, error, text = 'Loading…' }: WaitingProps) {
  if (error != null && !away) {
    return (
      <div class="notice" role="alert">
        <p>{error.message}</p>
      </div>
    );
  }
  if (!away) return <p class="waiting">{text}</p>;
  return (
    <div class="notice" role="status">
      <p>The server is away. Is `perturbql annotate serve` still running? Asking again every few seconds.</p>
    </div>
  );
}

/** The title of a screen: focus goes there when the screen changes, so that a screen reader reads on from it. */
export function Heading({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · perturbql`;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children ?? title}
    </h1>
  );
}
