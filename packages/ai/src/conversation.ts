/** A message as the service expects it. */
interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** The service's own limits. */
const MAX_MESSAGES = 1_000;
const MAX_CHARACTERS = 32_768;
/** Keeps the body below the service's limit of 1 MiB in any script. */
const MAX_TOTAL_CHARACTERS = 150_000;

/**
 * Converts a model prompt, model messages, or UI messages. Joins the text parts of each message and omits system and tool messages,
 * reasoning, files, and tool calls. If the conversation is too long, omits the oldest messages. Undefined without text from a user.
 */
export function toConversation(prompt: unknown): Message[] | undefined {
  if (!Array.isArray(prompt)) return undefined;
  const messages: Message[] = [];
  let characters = 0;
  for (const message of [...prompt].reverse()) {
    const { role, content, parts }: { role?: unknown; content?: unknown; parts?: unknown } = message ?? {};
    if (role !== 'user' && role !== 'assistant') continue;
    const text = takeEnd(toText(content ?? parts), MAX_CHARACTERS);
    characters += text.length;
    if (messages.length === MAX_MESSAGES || characters > MAX_TOTAL_CHARACTERS) break;
    if (text !== '') messages.unshift({ role, content: text });
  }
  return messages.some(({ role }) => role === 'user') ? messages : undefined;
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part) =>
    part?.type === 'text' && typeof part.text === 'string' && part.text.trim() !== '' ? [part.text.trim()] : [],
  );
  return texts.join('\n');
}

/** The last characters, without half of a surrogate pair at the start. */
const takeEnd = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(-max).replace(/^[\uDC00-\uDFFF]/, '');
