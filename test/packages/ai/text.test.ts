import fc from 'fast-check';
import { marked, type Token, type Tokens } from 'marked';
import { expect, it } from 'vitest';
import { type SponsoredAd, toHtml, toMarkdown, toText } from '../../../packages/ai/src/index.ts';
import { toSuffix, withoutAds } from '../../../packages/ai/src/suffix.ts';
import { useService } from '../../service.ts';

const service = useService();

const AD: SponsoredAd = {
  disclosure: 'Sponsored',
  advertiser: 'Fleet Feet',
  headline: 'Run further',
  description: 'Shoes for your first 10k.',
  callToAction: 'Find your pair',
  url: 'https://ads.test/api/v1/click/1',
};

it('shows the label, the texts, and the link', () => {
  expect(toMarkdown(AD)).toBe(
    '*Sponsored · Fleet Feet*  \n**Run further**  \nShoes for your first 10k. [Find your pair](https://ads.test/api/v1/click/1)',
  );
  expect(toText(AD)).toBe(
    'Sponsored · Fleet Feet\nRun further\nShoes for your first 10k.\nFind your pair: https://ads.test/api/v1/click/1',
  );
  expect(toHtml(AD)).toBe(
    '<aside aria-label="Sponsored · Fleet Feet"><small>Sponsored · Fleet Feet</small><br><strong>Run further</strong><br>' +
      'Shoes for your first 10k.<br><a href="https://ads.test/api/v1/click/1" rel="sponsored noopener noreferrer" target="_blank">Find your pair</a></aside>',
  );
});

it('links the headline if the ad has no call to action', () => {
  const ad = { ...AD, description: '', callToAction: '' };
  expect(toMarkdown(ad)).toBe('*Sponsored · Fleet Feet*  \n[**Run further**](https://ads.test/api/v1/click/1)');
  expect(toText(ad)).toBe('Sponsored · Fleet Feet\nRun further\nhttps://ads.test/api/v1/click/1');
  expect(toHtml(ad)).toContain('target="_blank"><strong>Run further</strong></a></aside>');
});

it('takes the ad that the service returns', async () => {
  const key = await service.key();
  await service.campaign();
  const { body } = await service.ad(key, (await service.bid(key)).body.bidId);
  for (const show of [toMarkdown, toText, toHtml]) {
    const text = show(body);
    for (const shown of ['Sponsored · ', 'Run further', body.redirectUrl]) expect(text).toContain(shown);
  }
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'nothing', ''])('links to no %j', (url) => {
  for (const show of [toMarkdown, toText, toHtml]) {
    const text = show({ ...AD, url, imageUrl: url });
    expect(text).toContain('Find your pair');
    if (url) expect(text).not.toContain(url);
    expect(text).not.toMatch(/\]\(|href|src/);
  }
});

/** What an advertiser could write to be more than a text, and anything else. */
const SNIPPETS = [
  ...[
    '[x](https://evil.example)',
    '![x](https://evil.example/p.png)',
    '<script>alert(1)</script>',
    '`code`',
    '```\n',
    '~~x~~',
  ],
  ...[
    'https://evil.example/a',
    'www.evil.example',
    'evil.example',
    'me@evil.example',
    'mailto:me@evil.example',
    '//evil.example',
    'cafe\u0301.example',
    'evil．example',
    '<https://evil.example>',
    '**',
    '__',
    '*',
  ],
  ...[
    '\n\n---\n\n',
    '\n# Title\n',
    '\n- item',
    '\n1. item',
    '> quote',
    '# ',
    '- ',
    '1) ',
    '| a | b |\n|---|---|',
    '===',
    '\\',
    ']',
    ')',
  ],
  ...[
    '@everyone',
    '@here',
    '<@123>',
    '<@&123>',
    '<!channel>',
    '<#1>',
    '<tel:1|x>',
    '&amp;',
    '&lt;b&gt;',
    '$x^2$',
    '||spoiler||',
    '"',
    "'",
    ' onload=',
  ],
  ...[
    '\u001b[31m',
    '\u0007',
    '\u202e',
    '\u2028',
    '\r\n',
    '\t',
    ' ',
    'Ünïcode 🏃',
    'Version 2.5',
    '[x]: https://evil.example',
    '<!--',
  ],
];
const hostile = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...SNIPPETS) }, fc.string({ unit: 'grapheme', maxLength: 6 })),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));
const hostileAd = fc.record({
  disclosure: fc.constant('Sponsored' as const),
  advertiser: hostile,
  headline: hostile,
  description: hostile,
  callToAction: hostile,
  url: fc.constantFrom(AD.url, 'https://ads.test/api/v1/click/a_b_(c)*d*', 'https://ads.test/a?b=c&d="><e>\\)'),
});

/** The text as a person reads it: on one line, without controls, and without the invisible breaks. */
const toRead = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\u061C\u202A-\u202E\u2066-\u2069\u200B]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim();
/** What some chat turns into a link or a mention. Browsers ignore the invisible breaks, so `www.` or `//` before one is still a link. */
const LINKED = /\/\/|www\.|\p{L}:[^\s:]|\S[.．。]\p{L}|\w@|@[\w&!]|<[!#@\w]/iu;

function* walk(tokens: Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token;
    if ('tokens' in token && token.tokens) yield* walk(token.tokens);
  }
}

it('keeps hostile texts of an ad plain in Markdown: one link, one paragraph, no mention, and every word readable', () => {
  fc.assert(
    fc.property(hostileAd, (ad) => {
      const markdown = toMarkdown(ad);
      const tokens = [...walk(marked.lexer(`Answer.\n\n---\n\n${markdown}`))];
      const types = new Set(tokens.map(({ type }) => type));
      for (const type of types)
        expect(['paragraph', 'space', 'hr', 'text', 'escape', 'em', 'strong', 'link', 'br']).toContain(type);
      expect(tokens.filter(({ type }) => type === 'paragraph')).toHaveLength(2);
      const links = tokens.filter((token): token is Tokens.Link => token.type === 'link');
      expect(links.length).toBeLessThanOrEqual(1);
      for (const { href } of links) expect(new URL(href).host).toBe('ads.test');

      const leaves = tokens.filter(({ type }) => type === 'text' || type === 'escape' || type === 'br').slice(1);
      // Only an escaped & is no entity.
      for (const { type, raw } of leaves) expect(type === 'text' && raw.includes('&')).toBe(false);
      const shown = leaves.map((leaf) => ('text' in leaf ? leaf.text : ' ')).join('');
      expect(shown).not.toMatch(LINKED);
      const read = toRead(shown);
      for (const text of [ad.advertiser, ad.headline, ad.description, ad.callToAction])
        expect(read).toContain(toRead(text));
      expect(read).toMatch(/^Sponsored/);
    }),
    { numRuns: 300, seed: 1 },
  );
});

const TAG = /<\/?(aside|small|strong|a|br)( (aria-label|href|rel|target)="[^"<>]*")*>/g;

it('keeps hostile texts of an ad plain in HTML: no tag, attribute, or entity of its own', () => {
  fc.assert(
    fc.property(hostileAd, (ad) => {
      const html = toHtml(ad);
      const shown = html.replaceAll(TAG, ' ');
      expect(shown).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      expect(shown.trim()).toMatch(/^Sponsored/);
      const read = shown.replaceAll(/&(lt|amp);/g, (_, name) => (name === 'lt' ? '<' : '&'));
      expect(read).not.toMatch(LINKED);
      for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(new URL(href!).host).toBe('ads.test');
    }),
    { numRuns: 300, seed: 1 },
  );
});

it('keeps hostile texts of an ad plain for a terminal: at most four lines, no controls, and no second link', () => {
  fc.assert(
    fc.property(hostileAd, (ad) => {
      const text = toText(ad);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2028]/u);
      expect(text.split('\n').length).toBeLessThanOrEqual(4);
      expect(text).toMatch(/^Sponsored/);
      expect(text.slice(0, text.lastIndexOf('https://ads.test/'))).not.toMatch(LINKED);
    }),
    { numRuns: 300, seed: 1 },
  );
});

/** Answers with rules, code, and links of their own. */
const answer = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n\n---\n\n', '\n```js\n', '```', '~~~~\n', '\n# Title\n', 'https://a.test/click/1', 'Text. '),
      fc.string(),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => `Answer: ${parts.join('')}.`);

it('finds and removes every ad that it has appended, whatever the texts, and changes nothing else', () => {
  const read = (text: string) => JSON.stringify(withoutAds([{ role: 'assistant', content: [{ type: 'text', text }] }]));
  fc.assert(
    fc.property(answer, hostileAd, fc.constantFrom('\n', '\r\n'), (text, ad, lineEnd) => {
      expect(read(text)).toContain(JSON.stringify(text));
      for (const format of [toMarkdown, toText]) {
        const whole = text + toSuffix(text, format({ ...ad, url: AD.url }));
        const left = read(whole.replaceAll('\n', lineEnd));
        expect(left).not.toMatch(/Sponsored|\/api\/v1\/click/);
        const [message] = JSON.parse(left);
        const kept = message.content[0].text.replaceAll('\r\n', '\n');
        expect(kept.replace(/\n[`~]+$/, '').trimEnd()).toBe(
          text
            .replaceAll('\r\n', '\n')
            .replace(/\n[`~]+$/, '')
            .trimEnd(),
        );
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

const removeAds = (...texts: string[]): unknown =>
  withoutAds(texts.map((text) => ({ role: 'assistant', content: [{ type: 'text', text }] }))).map(
    ({ content }) => (content as { text: string }[])[0]!.text,
  );

it('finds an ad in what a chat made of it: other rules, quotes, lost lines, and markup of its own', () => {
  const suffix = toSuffix('', toMarkdown(AD));
  const slack = `*Sponsored · Fleet Feet*\n*Run further*\nShoes. <${AD.url}|Find your pair>`;
  const changed = [
    suffix.replace('---', '***'),
    suffix.replace('---', '* * *'),
    suffix.replace('---', '_____'),
    suffix.replaceAll('\n\n', '\n'),
    suffix.replaceAll(/\s+/g, ' '),
    suffix.replaceAll('\n', '\n> '),
    suffix.replace('---', ''),
    `\n\n${slack}`,
    `\n\n———\n\n${slack}`,
    `\n\nAd by Fleet Feet: ${AD.url}`,
    `${suffix}\n\n_Written by a bot_`,
    `${suffix}\n\nBetter shoes.${suffix}`,
  ];
  for (const text of changed) expect(removeAds(`Good shoes.${text}`), text).toEqual(['Good shoes.']);
  expect(removeAds(suffix, suffix.trim(), slack)).toEqual([]);
});

it('keeps the words of users, and the rules and links of answers', () => {
  const prompt = [
    { role: 'system', content: 'A\n\n---\n\nhttps://a.test/api/v1/click/1' },
    { role: 'user', content: [{ type: 'text', text: 'B\n\n---\n\nhttps://a.test/api/v1/click/1' }] },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'C\n\n---\n\nhttps://a.test/click/1' }, { type: 'reasoning' }],
    },
    { role: 'assistant', content: [] },
  ];
  expect(withoutAds(prompt)).toEqual(prompt);
});

it('reads a long answer in time that grows with its length', () => {
  for (const part of ['---\n', '\n\n---\n\n', ' ', '\n ', '\n> ', '* ', '```\n', 'Sponsored', '/api/v1/click/']) {
    const text = part.repeat(400_000 / part.length);
    const prompt = [text, `Answer.\n\n${text}`].map((start) => ({
      role: 'assistant',
      content: [{ type: 'text', text: `${start}/api/v1/click/` }],
    }));
    expect(withoutAds(prompt)).not.toHaveLength(0);
    expect(toSuffix(text, 'ad')).toContain('ad');
  }
});
