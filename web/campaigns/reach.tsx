import { counted, formatCount } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { PreviewBody } from './preview.ts';

interface ReachProps {
  reach: PreviewBody['reach'];
  keywords: readonly string[];
  onAdd(keyword: string): void;
}

/** How many conversations of a sample the campaign and its keywords reach, and which phrases would reach more. */
export function Reach({ reach: { conversations, campaign, keywords: reached }, keywords, onAdd }: ReachProps) {
  const widest = Math.max(0, ...reached.map((keyword) => keyword.conversations));
  const scale = getScale(widest, conversations);
  return (
    <>
      <p>
        Your campaign matches <b>{formatCount(campaign)}</b> of {counted(conversations, 'sample conversation')} about
        all kinds of topics.{' '}
        {scale === conversations
          ? 'A full bar is the whole sample.'
          : `A full bar is ${counted(scale, 'conversation')}.`}
        {campaign < widest &&
          ' Fewer than its best keyword alone: all keywords and the ad’s text together decide what the campaign is about.'}
      </p>
      <ul class="bars">
        {reached.map(({ keyword, conversations: own, add, hint }) => (
          <li key={keyword}>
            <div class="row">
              <bdi>{keyword}</bdi>
              <span>{formatCount(own)}</span>
            </div>
            <Bar label={`Reach of ${keyword}`} value={counted(own, 'conversation')} part={own} whole={scale} />
            {add.length === 0 && hint && <small class="warning">{hint}</small>}
            <AddButtons
              label="Keywords that reach more"
              hint="Reach more conversations with"
              words={add.filter((word) => !keywords.includes(word)).map((word) => [word, undefined])}
              onAdd={onAdd}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a full bar may stand for. */
const SCALES = [10, 25, 50, 100, 250, 500];

/** The smallest scale for the widest keyword. To the scale of the sample, most bars would be as short as a dot. */
const getScale = (widest: number, sample: number): number =>
  SCALES.find((scale) => scale >= widest && scale < sample) ?? sample;

interface AddButtonsProps {
  label: string;
  hint?: string | undefined;
  /** Each with its reach, if it is known. */
  words: readonly (readonly [word: string, conversations: number | undefined])[];
  onAdd(word: string): void;
}

/** Buttons that add a keyword. */
export const AddButtons = ({ label, hint, words, onAdd }: AddButtonsProps) =>
  words.length === 0 ? null : (
    <fieldset class="suggestions" aria-label={label}>
      {hint && <small>{hint}</small>}
      {words.map(([word, conversations]) => (
        <button key={word} type="button" class="small" onClick={() => onAdd(word)}>
          <span aria-hidden="true">+ </span>
          <bdi>{word}</bdi>
          {conversations !== undefined && ` · ${formatCount(conversations)}`}
        </button>
      ))}
    </fieldset>
  );
