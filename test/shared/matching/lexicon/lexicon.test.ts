import { describe, expect, it } from 'vitest';
import { readPhrasebook } from '../../../../infra/lexicon/phrasebook.ts';
import { PHRASE_KINDS } from '../../../../shared/matching/lexicon/lexicon.ts';
import { testLexicon } from '../helpers.ts';

const { topics } = readPhrasebook();

describe('the compiled lexicon', () => {
  it('finds every phrase of the texts, as what the texts say that it is, and means nothing else', () => {
    const { trie, vocabulary, senses } = testLexicon;
    let said = 0;
    for (const [topic, phrases] of topics.entries())
      for (const [kind, name] of PHRASE_KINDS.entries())
        for (const phrase of phrases[name].split('|').filter(Boolean)) {
          let node = 0;
          for (const stem of phrase.split(' ')) node = trie.child(node, vocabulary.get(stem)!);
          const count = senses.end(node) - senses.first(node);
          const own = Array.from({ length: count }, (_, i) => senses.first(node) + i);
          if (!own.some((sense) => senses.topic(sense) === topic && senses.kind(sense) === kind))
            expect.fail(`"${phrase}" is not found as ${name} of ${phrases.path}`);
          said++;
        }
    expect(senses.count).toBe(said);
  });
  it('knows of every node whether words lead on from it', () => {
    const { trie, vocabulary, roots } = testLexicon;
    const [water, heater] = ['water', 'heater'].map((word) => vocabulary.get(word)!);
    expect(roots[water!]).toBe(trie.child(0, water!));
    expect(trie.isLeaf(roots[water!]!)).toBe(false);
    expect(trie.child(roots[water!]!, heater!)).toBeGreaterThan(0);
    expect(trie.child(roots[water!]!, vocabulary.size)).toBe(-1);
  });
  it('takes no common word, bare of its article, for a way of asking', () => {
    const asking = topics.filter(({ path }) => path.startsWith('_Intent > ')).flatMap(({ want }) => want.split('|'));
    for (const bare of ['good', 'find', 'book', 'idea', '^']) expect(asking).not.toContain(bare);
  });
  it('holds several thousand terms', () => {
    const terms = topics.flatMap(({ names, want, words }) => [names, want, words].flatMap((kind) => kind.split('|')));
    expect(terms.length).toBeGreaterThan(5_000);
  });
});
