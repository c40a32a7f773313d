import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { Problem } from '../parts/problem.tsx';
import { check } from './check.ts';
import type { FormPart } from './form-fields.tsx';
import { EMPTY, type FormValues, toCampaignBody } from './form-values.ts';
import { usePreview } from './preview.ts';
import { AddButtons, Reach } from './reach.tsx';

/** Wait for a pause in typing. */
const TYPING_MS = 800;
/** Minimum time between requests: all pages of a visitor share 100 a minute. */
const INTERVAL_MS = 5_000;
const MAX_SUGGESTIONS = 12;

interface KeywordHelpProps {
  part: FormPart;
  /** Phrases that a language model suggested for the saved campaign. */
  phrases: readonly string[];
}

/** Suggests keywords, and estimates what the typed ones reach. */
export function KeywordHelp({ part: { values, onChange, onReviewed }, phrases }: KeywordHelpProps) {
  const { reach, problem, retry } = useTypedReach(values, onReviewed);
  const { keywords } = values;
  const add = (keyword: string) => onChange({ keywords: [...keywords, keyword] });
  const known = new Set(keywords.map((keyword) => keyword.toLowerCase()));
  const suggested = new Map<string, number | undefined>(phrases.map((phrase) => [phrase, undefined]));
  for (const { keyword, conversations } of reach?.suggestions ?? []) suggested.set(keyword, conversations);
  const suggestions = [...suggested].filter(([keyword]) => !known.has(keyword.toLowerCase())).slice(0, MAX_SUGGESTIONS);
  return (
    <>
      {suggestions.length > 0 && (
        <AddButtons
          label="Suggested keywords"
          hint={
            reach && `Suggestions and how many of ${formatCount(reach.conversations)} sample conversations each reaches`
          }
          words={suggestions}
          onAdd={add}
        />
      )}
      {problem && (
        <div class="keyword-reach">
          <Problem text="We could not load suggestions and reach." />
          <button type="button" class="small" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      {reach && reach.keywords.length > 0 && keywords.length > 0 && (
        <div class="keyword-reach">
          <Reach reach={reach} keywords={keywords} onAdd={add} />
        </div>
      )}
    </>
  );
}

/** Measures the typed campaign when its texts have changed and typing pauses. */
function useTypedReach(values: FormValues, onReviewed: FormPart['onReviewed']) {
  const { preview, problem, run } = usePreview();
  const last = useRef({ typed: '', at: Number.NEGATIVE_INFINITY });
  const campaign = toMeasured(values);
  const typed = JSON.stringify(campaign);
  const isEmpty = typed === NOTHING;
  const send = () => {
    last.current = { typed, at: Date.now() };
    run({ campaign: { ...campaign, creative: getWholeAd(values) ?? campaign.creative } });
  };
  useEffect(() => {
    if (isEmpty || typed === last.current.typed) return;
    const timer = setTimeout(send, Math.max(TYPING_MS, last.current.at + INTERVAL_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    if (preview?.creative) onReviewed(preview.creative, preview.serving);
  }, [preview]);
  return { reach: isEmpty ? undefined : preview?.reach, problem, retry: send };
}

/** The fields that affect the reach, so that an incomplete campaign can be measured. */
function toMeasured(values: FormValues) {
  const { name, targetAudience, creative } = toCampaignBody(values);
  const { keywords, excludedKeywords, categories, languages, demographics } = targetAudience ?? {};
  const { headline, description, callToAction } = creative ?? {};
  return {
    ...(name.trim() && { name }),
    targetAudience: {
      keywords,
      excludedKeywords,
      categories,
      languages,
      demographics: { interests: demographics?.interests },
    },
    creative: { headline, description, callToAction },
  };
}

/** The ad as a launch would send it, so that its review is known by then. Undefined while it is incomplete. */
function getWholeAd(values: FormValues) {
  const isFaulty = Object.keys(check(values)).some((path) => path.startsWith('creative.'));
  return isFaulty || values.creative.landingUrl === '' ? undefined : toCampaignBody(values).creative;
}

const NOTHING = JSON.stringify(toMeasured(EMPTY));
