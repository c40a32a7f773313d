import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CrawlerEntry, crawlerNames, declaredNames } from '../../tools/crawlers.ts';

const entry = (pattern: string, tags: string[], ...instances: string[]): CrawlerEntry => ({ pattern, tags, instances });
const named = (entries: CrawlerEntry[]) => {
  const own = new Set(declaredNames([]));
  return declaredNames(entries).filter((name) => !own.has(name));
};

describe('The names of declared crawlers', () => {
  it('match the installed package: `npm run train -- crawlers` writes them', () => {
    expect(readFileSync('shared/ads/bids/crawler-names.json', 'utf8')).toBe(crawlerNames());
  });

  it('include search engines, previews, AI crawlers, and monitors that identify themselves or link to a description', () => {
    const crawlers = [
      entry('FindBot\\/', ['search-engine'], 'FindBot/1.0'),
      entry('Unfurler', ['social-preview'], 'Unfurler (+https://unfurl.example)'),
      entry('Learner', ['ai-crawler', 'seo'], 'Mozilla/5.0 (compatible; Learner; learner@learn.example)'),
      entry('LinkCheckBot', ['seo'], 'LinkCheckBot/1.0 (+https://links.example)'),
    ];
    expect(named(crawlers)).toEqual(['FindBot/', 'Learner', 'LinkCheckBot', 'Unfurler']);
  });

  it('exclude in-app browsers, tools, and programs without a description', () => {
    const others = [
      entry('MetaIAB Facebook', ['social-preview'], 'Mozilla/5.0 (Linux; Android 16; wv) Chrome/146 MetaIAB Facebook'),
      entry('^curl', ['http-library'], 'curl/8 (https://curl.se)'),
      entry('HeadlessChrome', ['browser-automation'], 'HeadlessChrome (+https://a.example)'),
      entry('crawler4j', ['http-library'], 'crawler4j (https://github.com/yasserg/crawler4j/)'),
      entry('WordPress\\/', ['seo'], 'WordPress/6.4; https://example.org'),
      entry('MyBot\\/', ['seo'], 'MyBot/1.0'),
      entry('Notion\\/', ['social-preview'], 'Notion/1.0 (https://notion.so; team@makenotion.com)'),
    ];
    expect(named(others)).toEqual([]);
  });

  it('are plain text: a pattern needs a replacement', () => {
    const seen = 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)';
    expect(named([entry('[pP]ingdom', ['monitoring'], seen)])).toEqual(['Pingdom', 'pingdom']);
    expect(named([entry('^find\\.example\\/bot', ['search-engine'])])).toEqual(['find.example/bot']);
    for (const pattern of ['Any.*Bot', 'a?Bot', 'Bot\\d', '(a|b)Bot', '[aA]Bot', 'Bot$']) {
      expect(() => declaredNames([entry(pattern, ['search-engine'])])).toThrow(`${pattern} is not plain text`);
    }
  });
});
