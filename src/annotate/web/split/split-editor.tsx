import type { ItemContext, SplitTask } from '../../annotation.js';
import { ClauseTable } from './clause-table.js';
import { ExtraColumns } from './extra-columns.js';
import { saidCount } from './split-edits.js';
import { TokenLine } from './token-line.js';
import type { SplitWork } from './use-split.js';

interface SplitEditorProps {
  readonly task: SplitTask;
  readonly context: ItemContext;
  readonly work: SplitWork;
  /** The title of the answer: "Sub-sentences". */
  readonly title: string;
  /** Id of the heading. */
  readonly titleId: string;
  /** True if the digits are the clauses'. */
  readonly hasDigits: boolean;
}

/** The question in blocks, what each sub-sentence says, and columns that are extra. */
export function SplitEditor({ task, context, work, title, titleId, hasDigits }: SplitEditorProps) {
  const { segments } = work;
  const all = task.clauses.length;
  const said = saidCount(segments, all);
  return (
    <>
      <div class="section-head">
        <h2 id={titleId}>{title}</h2>
        <span class={said === all ? 'count fits' : 'count'} role="status">
          {segments.length} {segments.length === 1 ? 'sub-sentence' : 'sub-sentences'}, {said} of {all} clauses said
        </span>
      </div>
      <p class="soft" id="task">
        <kbd>←</kbd> <kbd>→</kbd> go from word to word; space, or a click, lets a sub-sentence begin there or not;{' '}
        <kbd>⇧</kbd> with an arrow moves where it begins.
        {hasDigits && ' A digit says its clause in the current sub-sentence;'} <kbd>↑</kbd> <kbd>↓</kbd> and space do so
        in the table. Once more: said, but without a word of its column (–).
      </p>
      <div ref={work.box}>
        <TokenLine task={task} work={work} />
        <ClauseTable task={task} work={work} hasDigits={hasDigits} />
      </div>
      <ExtraColumns columns={context.columns} work={work} />
    </>
  );
}
