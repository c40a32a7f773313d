import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMPILED_LEXICON } from '../../../../infra/lexicon/paths.ts';
import { readPhrasebook } from '../../../../infra/lexicon/phrasebook.ts';
import { PHRASE_KINDS } from '../../../../shared/matching/lexicon/lexicon.ts';
import { unpackLexicon } from '../../../../shared/matching/lexicon/lexicon-file.ts';
import { prefixSums } from '../../../../shared/matching/text/prefix-sums.ts';
import { testLexicon } from '../helpers.ts';

const { topics, spellings } = readPhrasebook();
const { degrees, targets, senseLists, counts } = unpackLexicon(readFileSync(COMPILED_LEXICON));
const firstArcs = prefixSums(degrees);

/** The number of senses of all phrases that continue from a node. */
const countMeanings = (node: number): number => {
  let found = counts[senseLists[node]!]!;
  for (let arc = firstArcs[node]!; arc < firstArcs[node + 1]!; arc++) found += countMeanings(targets[arc]!);
  return found;
};

describe('The compiled lexicon', () => {
  it('spells every phrase like the texts', () => {
    const { vocabulary } = testLexicon;
    const written = (stems: string) =>
      testLexicon.spellings.write(stems.split(' ').map((stem) => vocabulary.get(stem)!)).join(' ');
    const different = [...spellings].filter(([stems, words]) => written(stems) !== words);
    expect([spellings.size > 100_000, different]).toEqual([true, []]);
  });

  it('finds every phrase of the texts with the same meaning, and no other meanings', () => {
    const { graph, roots, vocabulary, senses } = testLexicon;
    let phraseCount = 0;
    for (const [topic, phrases] of topics.entries())
      for (const [kind, name] of PHRASE_KINDS.entries())
        for (const phrase of phrases[name].split('|').filter(Boolean)) {
          const [first, ...others] = phrase.split(' ').map((stem) => vocabulary.get(stem)!);
          const node = others.reduce((node, word) => graph.findChild(node, word), roots[first!]!);
          const count = senses.end(node) - senses.first(node);
          const own = Array.from({ length: count }, (_, i) => senses.first(node) + i);
          if (!own.some((sense) => senses.topic(sense) === topic && senses.kind(sense) === kind))
            expect.fail(`"${phrase}" is not found as ${name} of ${phrases.path}`);
          phraseCount++;
        }
    expect(countMeanings(0)).toBe(phraseCount);
  });
  it('reports for every node whether words continue from it', () => {
    const { graph, vocabulary, roots } = testLexicon;
    const [water, heater] = ['water', 'heater'].map((word) => vocabulary.get(word)!);
    expect(graph.isLeaf(roots[water!]!)).toBe(false);
    expect(graph.findChild(roots[water!]!, heater!)).toBeGreaterThan(0);
    expect(graph.findChild(roots[water!]!, vocabulary.size)).toBe(-1);
  });
  it('does not contain a single common word as a way of asking', () => {
    const asking = topics.filter(({ path }) => path.startsWith('_Intent > ')).flatMap(({ want }) => want.split('|'));
    for (const bare of ['good', 'find', 'book', 'idea', '^']) expect(asking).not.toContain(bare);
  });
  it('contains several thousand terms', () => {
    const terms = topics.flatMap(({ names, want, words }) => [names, want, words].flatMap((kind) => kind.split('|')));
    expect(terms.length).toBeGreaterThan(5_000);
  });
});
