/*
 * How an answer carries its ad. The ad follows a horizontal rule and has a text part of its own, marked in `providerMetadata`. Chats that
 * keep messages return the mark with the part. Chats that keep only the text, or read it back from Slack, return it more or less changed:
 * an ad is recognized by its click URL, and begins at the rule, at its label, or at least in the same paragraph.
 */

/** A message of a model's prompt. */
export interface PromptMessage {
  role: string;
  content: unknown;
}

const RULE = '\n\n---\n\n';
const CLICK_PATH = '/api/v1/click/';
/** A rule between empty lines or at the beginning, as converters write it too. An ad has no empty line. */
const ANY_RULE = /(?:^\s*|\n[ \t\r]*\n[ \t]*)([-*_])(?:[ \t]?\1){2,}(?=[ \t\r]*\n[ \t\r]*\n)/g;
const LABEL = /(?<=^|\n)[ \t>*_~]{0,9}Sponsored\b|\bSponsored · /;
/** What is left of a rule, or of the label's markup. */
const LEFTOVER = /(?<=^|\s)[-—*_>\s]{1,30}$/;
/** The mark of the ad's text part. The AI SDK returns `providerMetadata` of an answer as `providerOptions` of the next prompt. */
export const MARK = { ads: { sponsored: true } };

/** What follows an answer. Closes a block of code that the answer left open, so that the ad is not shown as code. */
export const toSuffix = (answer: string, ad: string): string => `${closeCode(answer)}${RULE}${ad}`;

/** Removes the ads from the answers of earlier turns: a model must not take an advertiser's words for its own. */
export const withoutAds = (prompt: readonly PromptMessage[]): PromptMessage[] =>
  prompt.flatMap((message) => {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) return [message];
    const content = message.content.flatMap((part) => {
      if (part?.type !== 'text' || typeof part.text !== 'string') return [part];
      const text = removeSuffix(part.text, part.providerOptions?.ads?.sponsored === true);
      return text === part.text ? [part] : text === '' ? [] : [{ ...part, text }];
    });
    return content.length > 0 || message.content.length === 0 ? [{ ...message, content }] : [];
  });

function removeSuffix(text: string, isMarked: boolean): string {
  if (isMarked && /^\s*([`~]+\s+)?---\r?\n/.test(text)) return '';
  const clickAt = text.indexOf(CLICK_PATH);
  if (clickAt < 0) return text;
  const rules = [...text.matchAll(ANY_RULE)].map(({ index }) => index);
  const rule = rules.find((at, nth) => text.slice(at, rules[nth + 1]).includes(CLICK_PATH));
  if (rule !== undefined) return text.slice(0, rule).trimEnd();
  const label = text.slice(0, clickAt).search(LABEL);
  const start = label < 0 ? text.lastIndexOf('\n\n', clickAt) : label;
  return text.slice(0, Math.max(start, 0)).trimEnd().replace(LEFTOVER, '').trimEnd();
}

/** The fence that closes the block of code in which a text ends, on a line of its own; empty if it ends in none. */
function closeCode(text: string): string {
  let open = '';
  for (const [, fence = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence;
    else if (fence.startsWith(open) && info.trim() === '') open = '';
  }
  return open && `\n${open}`;
}
