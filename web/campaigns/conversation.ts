export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** Speaker names in transcripts, in several languages. Excludes words that could start a list item in an answer. */
const SPEAKERS: Readonly<Record<Message['role'], string>> = {
  user:
    'user|human|customer|visitor|prompter|me|you|benutzer|nutzer|kunde|kundin|ich|utilisateur|utilisatrice|moi|vous|usuario|cliente|yo|tú|' +
    'usuário|você|utente|gebruiker|klant|ik|jij|użytkownik|kullanıcı|пользователь|клиент|я|вы|用户|我|你|ユーザー|사용자',
  assistant:
    'assistant|ai|ai assistant|bot|chatbot|agent|chatgpt|gpt|claude|gemini|copilot|grok|perplexity|assistent|assistentin|ki|ia|asistente|' +
    'assistente|asystent|asistan|ассистент|помощник|бот|助手|アシスタント|어시스턴트',
};

/** A line that starts with a speaker: "User:", "**Human**:", "> AI: ", "ChatGPT said:", "用户：". */
const START = new RegExp(
  `^[\\s>#]*[*_]*(?:(?<user>${SPEAKERS.user})|${SPEAKERS.assistant})(?: said)?[*_]*\\s*[:：][*_]*\\s*(?<said>.*)$`,
  'iu',
);

/** Parses a pasted conversation. A line that starts with a speaker's name starts a message; other lines continue it. */
export function parseConversation(text: string): Message[] {
  const messages: Message[] = [];
  for (const line of text.split(/\r?\n/)) {
    const start = START.exec(line)?.groups;
    const last = messages.at(-1);
    if (start) messages.push({ role: start.user === undefined ? 'assistant' : 'user', content: start.said ?? '' });
    else if (last) last.content += `\n${line}`;
    else if (line.trim() !== '') messages.push({ role: 'user', content: line });
  }
  return messages.map(({ role, content }) => ({ role, content: content.trim() }));
}
