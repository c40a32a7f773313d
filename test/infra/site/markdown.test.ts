import { expect, test } from 'vitest';
import { renderSections, toText } from '../../../infra/site/markdown.ts';

const render = (text: string) =>
  renderSections(text)
    .map(({ html }) => html)
    .join('');

test('a document is split at its headings of the first three levels', () => {
  const sections = renderSections('# Title\nOne\n## Ask `a` bid?\nTwo\n#### Deep\nThree\n### More\n## More');
  expect(sections.map(({ depth, id, heading }) => [depth, id, heading])).toEqual([
    [1, 'title', 'Title'],
    [2, 'ask-a-bid', 'Ask <code>a</code> bid?'],
    [3, 'more', 'More'],
    [2, 'more-1', 'More'],
  ]);
  expect(sections[1]!.html).toContain('Three');
});

test.each([
  ['sh', "curl -H 'a: b'", '<span class="hljs-string">&#x27;a: b&#x27;</span>'],
  ['json', '{"a": 1}', '<span class="hljs-number">1</span>'],
  ['js', 'const a = 1;', '<span class="hljs-keyword">const</span>'],
  ['tsx', 'const a = <b>c</b>;', '<span class="hljs-name">b</span>'],
  ['http', 'GET /a HTTP/1.1', '<span class="hljs-keyword">GET</span>'],
  ['python', 'def a(): pass', '<span class="hljs-title function_">a</span>'],
  ['html', '<p>', '<span class="hljs-name">p</span>'],
  ['', 'a < b & "c"', '<code>a &lt; b &amp; &quot;c&quot;</code>'],
  ['unknown', '<p>', '<code>&lt;p&gt;</code>'],
])('code in %j is highlighted, and stays the same text', (language, code, html) => {
  const rendered = render(`\`\`\`${language}\n${code}\n\`\`\``);
  expect(rendered).toContain(html);
  expect(toText(rendered)).toBe(code);
});

test('inline code may break after spaces, slashes, and dots, and nowhere else', () => {
  expect(render('`GET /api/v1/ssp/ad/{bidId}` and `x-user-id`, `a.b`, `…/`')).toContain(
    '<code>GET <wbr>/api/<wbr>v1/<wbr>ssp/<wbr>ad/<wbr>{bidId}</code> and <code>x-user-id</code>, <code>a.<wbr>b</code>, <code>…/</code>',
  );
});

test('links lead to documents of the site, and to the service that serves it', () => {
  const html = render(
    '[A](api.md#1-http) [B](README.md) [C](../packages/ai/README.md) [D](../packages/python/d.py) <http://localhost:3000/chat>',
  );
  expect(html).toContain('<a href="/docs/api#1-http">A</a> <a href="/docs">B</a> C <a href="/assets/d.py">D</a>');
  expect(html).toContain('<a href="/chat"><span class="origin">http://localhost:3000</span>/chat</a>');
});
