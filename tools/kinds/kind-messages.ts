import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import type { MessageKind } from '../../shared/matching/index.ts';

/** A message of our own, labeled by what it asks for. One file per writer. */
export interface KindMessage {
  text: string;
  kind: MessageKind;
  lang: string;
  writer: string;
  /** Earlier messages of its conversation ("user: …", "assistant: …"). */
  before?: string[];
  /** The IAB topic of the advertiser that the message was written for, and the advertiser's keywords. */
  topic?: string;
  keywords?: string[];
  /** Whether the text is from tools/safety/texts and was only labeled here. */
  labeled?: boolean;
}

const TEXTS = new URL('./texts/', import.meta.url);

const kindFiles = (): URL[] =>
  globSync('*.jsonl', { cwd: TEXTS })
    .sort()
    .map((file) => new URL(file, TEXTS));

const readLines = <T>(file: URL): T[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

export const readKindMessages = (): KindMessage[] =>
  kindFiles().flatMap((file) =>
    readLines<Omit<KindMessage, 'writer'>>(file).map((line) => ({
      ...line,
      writer: file.pathname.split('/').at(-1)!.replace('.jsonl', ''),
    })),
  );

/** A hash of the messages and the code that the weights follow from. */
export function sourcesOfKinds(): string {
  const hash = createHash('sha256');
  const text = '../../shared/matching/text';
  const code = [`${text}/message-kind.ts`, `${text}/message-features.ts`, `${text}/typing.ts`, './learn-kinds.ts'];
  for (const file of [...kindFiles(), ...code.map((path) => new URL(path, import.meta.url))])
    hash.update(readFileSync(file));
  return hash.digest('hex');
}
