/*
 * How an answer carries its ad. The ad follows a horizontal rule and has a text part of its own, marked in `providerMetadata`. Chats that
 * keep messages return the mark with the part. Chats that keep only the text return the rule and the ad's click URL.
 */

/** A message of a model's prompt. */
export interface PromptMessage {
  role: string;
  content: unknown;
}

const RULE = '\n\n---\n\n';
const CLICK_PATH = '/api/v1/click/';
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
  if (isMarked && /^\s*([`~]+\s+)?---\n/.test(text)) return '';
  const clickAt = text.lastIndexOf(CLICK_PATH);
  if (clickAt < 0) return text;
  // Chats may change spaces and the ends of lines. An ad has no empty line, so the last rule before its URL is ours.
  const [rule] = [...text.slice(0, clickAt).matchAll(/\n[ \t\r]*\n[ \t]*---(?=[ \t\r]*\n[ \t\r]*\n)/g)].slice(-1);
  return rule ? text.slice(0, rule.index).trimEnd() : text;
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
