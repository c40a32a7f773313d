import { useState } from 'preact/hooks';
import type { Input, Result } from '../../packages/client/src/index.ts';
import { useAct } from '../parts/live.ts';
import { useSession } from '../session.ts';

export type PreviewBody = Result<'POST /api/v1/campaigns/preview'>;
type PreviewInput = Input<'POST /api/v1/campaigns/preview'>['body'];

/** Asks what a campaign would make of a conversation, and how many it reaches; stores and spends nothing. */
export function usePreview() {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [preview, setPreview] = useState<PreviewBody | null>(null);
  const run = (body: PreviewInput) =>
    act(async () => setPreview(await ads('POST /api/v1/campaigns/preview', { body })));
  return { preview, isBusy, problem, run };
}

/** A conversation as it is pasted: lines that begin with "User:" or "Assistant:" begin a message, others go on with it. */
export function conversationOf(text: string): { role: 'user' | 'assistant'; content: string }[] {
  const messages: { role: 'user' | 'assistant'; content: string }[] = [];
  for (const line of text.split('\n')) {
    const [, speaker, said = ''] = /^\s*(user|assistant)\s*:\s*(.*)$/i.exec(line) ?? [];
    const last = messages.at(-1);
    if (speaker) messages.push({ role: speaker.toLowerCase() === 'user' ? 'user' : 'assistant', content: said });
    else if (last) last.content += `\n${line}`;
    else if (line.trim() !== '') messages.push({ role: 'user', content: line });
  }
  return messages.map(({ role, content }) => ({ role, content: content.trim() }));
}
