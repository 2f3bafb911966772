import { escapeHtml } from '../../report/html.js';
import { MAX_ADD, MIN_ADD } from '../project/project-content.js';

/** Names of the controls: what an annotation's results are distinguished by. */
export const CONTROLS = {
  target: 'column',
  accepted: 'accepted',
  written: 'written',
  comment: 'comment',
  flagged: 'flagged',
  origin: 'perturbql',
} as const;

/** The one choice of the flag. */
export const FLAG = 'for a reviewer';

/** The question asked about an item, by its kind. */
export const QUESTIONS = {
  RPL: 'Which names can replace this column without a change of meaning? Write others of your own.',
  ADD: `Which ${MIN_ADD} to ${MAX_ADD} columns could stand next to this one and not be mistaken for any column of the table?`,
} as const;

/**
 * The labelling configuration that the tasks are for. Names of candidates come from each task (`$candidates`). The last
 * control is not shown: Label Studio gives imported answers to whoever imports them, so each carries its annotator
 * along. https://labelstud.io/tags
 */
export function renderLabelStudioConfig(name: string): string {
  const { target, accepted, written, comment, flagged, origin } = CONTROLS;
  return `<View>
  <Header value="${escapeHtml(name)}"/>
  <Text name="${target}" value="$column"/>
  <Text name="table" value="$table"/>
  <Text name="rows" value="$rows"/>
  <Text name="questions" value="$questions"/>
  <Header value="$instruction" size="4"/>
  <Choices name="${accepted}" toName="${target}" choice="multiple" layout="vertical" value="$candidates"/>
  <Header value="Names of your own (RPL)" size="5"/>
  <TextArea name="${written}" toName="${target}" editable="true" skipDuplicates="true"/>
  <Header value="Comment" size="5"/>
  <TextArea name="${comment}" toName="${target}" editable="true" maxSubmissions="1" rows="2"/>
  <Choices name="${flagged}" toName="${target}" choice="multiple">
    <Choice value="${FLAG}"/>
  </Choices>
  <View style="display: none">
    <TextArea name="${origin}" toName="${target}"/>
  </View>
</View>
`;
}
