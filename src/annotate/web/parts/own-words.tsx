import type { AnnotationItem, Answer } from '../../annotation.js';
import { focusOn } from '../focus-on.js';
import { leaveOnEscape } from '../leave-on-escape.js';
import { ActionButton } from './action-button.js';
import { Flag } from './flag.js';
import { removeWritten } from '../answer-edits.js';
import type { EditedAnswer } from '../use-answer.js';
import type { KeyHandlers } from '../use-keys.js';
import { WrittenNames } from './written-names.js';

interface RemarksProps {
  readonly answer: Answer;
  readonly onComment: (comment: string) => void;
  readonly onFlag: () => void;
  readonly onLeave: () => void;
}

/** Comment and flag. */
function Remarks({ answer, onComment, onFlag, onLeave }: RemarksProps) {
  return (
    <div class="remarks">
      <label for="comment">Comment</label>
      <textarea
        id="comment"
        rows={2}
        maxLength={5000}
        value={answer.comment}
        onInput={(event) => onComment(event.currentTarget.value)}
        onKeyDown={leaveOnEscape(onLeave)}
      />
      <div class="row">
        <ActionButton action="flag" pressed={answer.flagged} onClick={onFlag}>
          {answer.flagged ? <Flag /> : null} Flag for a reviewer
        </ActionButton>
        <ActionButton action="comment" look="quiet" onClick={() => focusOn('#comment')}>
          Comment
        </ActionButton>
      </div>
    </div>
  );
}

interface OwnWordsProps {
  readonly item: AnnotationItem;
  readonly edited: EditedAnswer;
  /** The written names to list here. */
  readonly own: readonly string[];
  /** Where the focus goes when a field is left. */
  readonly onLeave: () => void;
}

/** Renders the rest of an answer besides names of the list: own names for RPL (ADVETA §3.1), comment and flag. */
export function OwnWords({ item, edited: { answer, edit }, own, onLeave }: OwnWordsProps) {
  return (
    <>
      {item.kind === 'RPL' && (
        <WrittenNames
          item={item}
          answer={answer}
          own={own}
          onWrite={(next) => edit(next, 'names')}
          onRemove={(name) => edit(removeWritten(answer, name), 'names')}
          onLeave={onLeave}
        />
      )}
      <Remarks
        answer={answer}
        onComment={(comment) => edit({ ...answer, comment }, 'comment')}
        onFlag={() => edit({ ...answer, flagged: !answer.flagged }, 'flag')}
        onLeave={onLeave}
      />
    </>
  );
}

/** The keys of `OwnWords`. */
export function ownWordsKeys(item: AnnotationItem, { answer, edit }: EditedAnswer): KeyHandlers {
  return {
    comment: () => focusOn('#comment'),
    flag: () => edit({ ...answer, flagged: !answer.flagged }, 'flag'),
    ...(item.kind === 'RPL' ? { write: () => focusOn('#own-name') } : {}),
  };
}
