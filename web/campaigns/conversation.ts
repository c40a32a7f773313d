interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** A conversation as it is pasted: lines that begin with "User:" or "Assistant:" begin a message, others go on with it. */
export function conversationOf(text: string): Message[] {
  const messages: Message[] = [];
  for (const line of text.split('\n')) {
    const [, speaker, said = ''] = /^\s*(user|assistant)\s*:\s*(.*)$/i.exec(line) ?? [];
    const last = messages.at(-1);
    if (speaker) messages.push({ role: speaker.toLowerCase() === 'user' ? 'user' : 'assistant', content: said });
    else if (last) last.content += `\n${line}`;
    else if (line.trim() !== '') messages.push({ role: 'user', content: line });
  }
  return messages.map(({ role, content }) => ({ role, content: content.trim() }));
}
