import { describe, expect, it } from 'vitest';
import type { Message, TextRange } from '../../../../shared/matching/index.ts';
import { audience, open, talk, testLexicon } from '../helpers.ts';

const bid = () => 1_000_000;

/** The full explanation of one campaign with these keywords. */
function explain(keywords: string[], messages: readonly Message[], more: Parameters<typeof audience>[1] = {}) {
  const index = open({ one: audience(keywords, more) });
  return index.match(messages, { bid, debug: true }).candidates[0]?.matched ?? [];
}

/** The numbers of the matched keywords. */
const numbers = (...args: Parameters<typeof explain>): number[] =>
  explain(...args).flatMap((one) => (one.kind === 'keyword' ? one.keyword : []));

const cut = (text: string, ranges: readonly TextRange[]): string[] =>
  ranges.map(({ start, end }) => text.slice(start, end));

describe('A matched keyword', () => {
  it('is reported by its number in the campaign, whatever precedes it', () => {
    const text = talk('Which zither should I buy?');
    expect(numbers(['zither'], text)).toEqual([0]);
    expect(numbers(['!!!', 'the', 'lutezoom', 'zither'], text)).toEqual([3]);
    const many = Array.from({ length: 299 }, (_, i) => `lutezoom${i}`);
    expect(numbers([...many, 'zither'], text)).toEqual([299]);
  });

  it('is the first of several with the same stems', () => {
    expect(numbers(['lutezoom', 'zithers', 'Zither'], talk('Which zither should I buy?'))).toEqual([1]);
  });

  it('is shown once if several languages stem it differently', () => {
    const languages = { languages: ['de', 'en'] };
    expect(numbers(['Zug', 'Flüge'], talk('Ich suche günstige Flüge nach Lissabon'), languages)).toEqual([1]);
    expect(numbers(['Zug', 'Fluge'], talk('I am looking for cheap fluges to Lisbon'), languages)).toEqual([1]);
  });

  it('is shown for a compound that ends in it', () => {
    expect(numbers(['Küche'], talk('Wo kann ich eine Einbauküche kaufen?'))).toEqual([0]);
  });

  it('is not repeated as a phrase of the same words', () => {
    const matched = explain(['running shoe'], talk('Which running shoes should I buy?'));
    expect(matched[0]).toMatchObject({ kind: 'keyword', keyword: 0 });
    expect(matched.map((one) => ('term' in one ? one.term : ''))).not.toContain('running shoes');
  });
});

describe('A phrase of the lexicon', () => {
  it('is spelled like the lexicon, in whatever form it was said', () => {
    const terms = (said: string) =>
      explain(['airfare'], talk(said)).flatMap((one) => (one.kind === 'phrase' ? one.term : []));
    expect(terms('I want to book a flight to Rome')).toContain('book flight');
    expect(terms('I am booking Kowalska 48601234567 flights to Rome')).toContain('book flight');
  });

  it("is the topic's name if the publisher states the topics of a page", () => {
    const topics = testLexicon.topicsByName.get('hotels and motels')!;
    const message: Message = { role: 'user', content: 'Kowalska 48601234567', topics };
    expect(explain(['hotel'], [message])).toMatchObject([{ kind: 'topic', term: 'Hotels and Motels', message: 0 }]);
  });
});

describe('The positions of a term', () => {
  it.each([
    ['en', ['running shoes'], 'Which RUNNING  shoes?', ['RUNNING  shoes']],
    ['en', ['running shoes'], 'Which shoes, for running?', ['shoes', 'running']],
    ['en', ['hotel'], 'Is the hotel’s bar nice? Which hotel?', ['hotel']],
    ['en', ['ﬁancé visa'], 'I need a fiance\u0301 visa', ['fiance\u0301 visa']],
    ['en', ['soft toys'], 'Where can I buy so\u00adft to\u200bys?', ['so\u00adft to\u200bys']],
    ['de', ['Strassenkarte'], 'Wo kaufe ich eine Straßenkarte?', ['Straßenkarte']],
    ['fr', ['hôtel'], 'Je cherche l’hôtel le moins cher', ['hôtel']],
    ['ja', ['登山靴'], '防水の登山靴を買いたいのですが', ['登山靴']],
    ['th', ['รองเท้าวิ่ง'], 'อยากซื้อรองเท้าวิ่งใหม่', ['รองเท้าวิ่ง']],
    ['hi', ['होटल'], 'मुझे जयपुर में होटल चाहिए', ['होटल']],
    ['tr', ['İstanbul otel'], 'İSTANBUL’da ucuz bir otel arıyorum', ['İSTANBUL’da', 'otel']],
    ['ko', ['보험'], '자동차보험 추천해 주세요', ['자동차보험']],
  ])('refer to its words as they were typed (%s): %j in "%s"', (language, keywords, text, words) => {
    const [first] = explain(keywords, talk(text), { languages: [language] });
    expect(first?.kind).toBe('keyword');
    expect(cut(text, first?.positions ?? [])).toEqual(words);
  });

  it('count from the beginning of a message even if only its end is read', () => {
    const text = `${'Lorem ipsum. '.repeat(6_000)}Which zither should I buy?`;
    const [first] = explain(['zither'], talk(text));
    expect(cut(text, first?.positions ?? [])).toEqual(['zither']);
  });

  it('are empty if the message had to be expanded', () => {
    const text = `${'\ufdfa'.repeat(20_000)} Which zither should I buy?`;
    const [first] = explain(['zither'], talk(text));
    expect(first).toMatchObject({ keyword: 0, message: 0, positions: [] });
  });

  it('are found behind thousands of words joined without spaces', () => {
    const text = `${"don't.o'clock.".repeat(1_000)}zither`;
    const [first] = explain(['zither'], talk(text));
    expect(cut(text, first?.positions ?? [])).toEqual(['zither']);
  });

  it('are empty without debug', () => {
    const index = open({ one: audience(['zither']) });
    const { candidates } = index.match(talk('Which zither should I buy?'), { bid });
    expect(candidates[0]?.matched).toEqual([{ kind: 'keyword', keyword: 0, message: 0, positions: [] }]);
  });
});
