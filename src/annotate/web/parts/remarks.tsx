import type { Answer } from '../../annotation.js';
import { focusOn } from '../focus-on.js';
import { leaveOnEscape } from '../leave-on-escape.js';
import { ActionButton } from './action-button.js';
import { Flag } from './flag.js';

interface RemarksProps {
  readonly answer: Answer;
  readonly onComment: (comment: string) => void;
  readonly onFlag: () => void;
  readonly onLeave: () => void;
}

/** Comment and flag. */
export function Remarks({ answer, onComment, onFlag, onLeave }: RemarksProps) {
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
