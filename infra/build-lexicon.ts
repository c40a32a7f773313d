import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type CompiledLexicon, type CompiledTopic, KINDS, type Kind } from '../shared/matching/lexicon.ts';
import { stem } from '../shared/matching/stem.ts';
import { words } from '../shared/matching/text.ts';

const SOURCE = new URL('../shared/matching/lexicon/', import.meta.url);
export const COMPILED = new URL('../shared/matching/lexicon.json', import.meta.url);

/** The lexicon's texts as one compact object: phrases cut into stems, each once per topic and kind. */
export function buildLexicon(): CompiledLexicon {
  const topics = new Map<string, Record<Kind, Set<string>>>();
  const bands: Set<string>[] = [];
  for (const file of readdirSync(SOURCE)
    .sort()
    .filter((name) => name.endsWith('.txt'))) {
    let topic: Record<Kind, Set<string>> | undefined;
    readFileSync(new URL(file, SOURCE), 'utf8')
      .split('\n')
      .forEach((raw, index) => {
        const line = raw.replace(/#.*/, '').trim();
        if (line === '') return;
        const path = /^\[(.+)\]$/.exec(line)?.[1];
        const [, key, rest] = /^(names|want|words|not|band \d): *(.*)$/.exec(line) ?? [];
        if (path) {
          topic = topics.get(path) ?? { names: new Set(), want: new Set(), words: new Set(), not: new Set() };
          topics.set(path, topic);
        } else if (key?.startsWith('band')) {
          const band = Number(key.slice(5)) - 1;
          bands[band] ??= new Set();
          for (const word of rest!.split(' ')) bands[band].add(stem(word));
        } else if (key && topic) {
          for (const phrase of rest!.split(',')) topic[key as Kind].add(stems(phrase));
        } else throw new Error(`${file}:${index + 1}: neither a [topic] nor "names|want|words|not: …": ${raw}`);
      });
  }
  const compiled = {
    bands: bands.map((band) => [...band].join(' ')),
    topics: [...topics].map(([path, phrases]): CompiledTopic => {
      for (const denied of phrases.not)
        if (phrases.names.has(denied) || phrases.want.has(denied) || phrases.words.has(denied))
          throw new Error(
            `[${path}] "${denied}" is both a phrase of the topic and a "not", once articles and endings are gone`,
          );
      const joined = (kind: Kind) => [...phrases[kind]].filter(Boolean).join('|');
      return { path, ...(Object.fromEntries(KINDS.map((kind) => [kind, joined(kind)])) as Record<Kind, string>) };
    }),
  };
  const version = createHash('sha256').update(JSON.stringify(compiled)).digest('hex').slice(0, 8);
  return { version, ...compiled };
}

function stems(phrase: string): string {
  return words(phrase)
    .map(({ word }) => stem(word))
    .join(' ');
}

if (import.meta.main) writeFileSync(COMPILED, `${JSON.stringify(buildLexicon(), null, 1)}\n`);
