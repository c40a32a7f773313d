import { describe, expect, it } from 'vitest';
import { buildLexicon } from '../../../infra/build-lexicon.ts';
import compiled from '../../../shared/matching/lexicon.json' with { type: 'json' };

describe('the compiled lexicon', () => {
  it('is what its texts say: run `npm run lexicon` after changing them', () => {
    expect(compiled.version).toBe(buildLexicon().version);
    expect(compiled).toEqual(buildLexicon());
  });
  it('takes no common word, bare of its article, for a way of asking', () => {
    const asking = compiled.topics
      .filter(({ path }) => path.startsWith('_Intent > '))
      .flatMap(({ want }) => want.split('|'));
    for (const bare of ['good', 'find', 'book', 'idea', '^']) expect(asking).not.toContain(bare);
  });
  it('holds several thousand terms', () => {
    const terms = compiled.topics.flatMap(({ names, want, words }) =>
      [names, want, words].flatMap((kind) => kind.split('|')),
    );
    expect(terms.length).toBeGreaterThan(5_000);
  });
});
