/** A message as the service reads it. */
interface Said {
  role: 'user' | 'assistant';
  content: string;
}

/** As many as the service takes, and so much text that the body stays below its limit of 1 MiB whatever the script. */
const MOST_MESSAGES = 1_000;
const MOST_CHARACTERS = 32_768;
const MOST_IN_ALL = 150_000;

/**
 * What was said, from a prompt of a model, from model messages or from UI messages: the text parts of each joined, system and tool
 * messages, reasoning, files and calls left out, the oldest left out where it is too much. Undefined where no user says anything.
 */
export function toConversation(prompt: unknown): Said[] | undefined {
  if (!Array.isArray(prompt)) return undefined;
  const said: Said[] = [];
  let characters = 0;
  for (const message of [...prompt].reverse()) {
    const { role, content, parts }: { role?: unknown; content?: unknown; parts?: unknown } = message ?? {};
    if (role !== 'user' && role !== 'assistant') continue;
    const text = ending(textOf(content ?? parts), MOST_CHARACTERS);
    characters += text.length;
    if (said.length === MOST_MESSAGES || characters > MOST_IN_ALL) break;
    if (text !== '') said.unshift({ role, content: text });
  }
  return said.some(({ role }) => role === 'user') ? said : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part) =>
    part?.type === 'text' && typeof part.text === 'string' && part.text.trim() !== '' ? [part.text.trim()] : [],
  );
  return texts.join('\n');
}

/** The last characters, none of them half of a pair. */
const ending = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(-most).replace(/^[\uDC00-\uDFFF]/, '');
