import { h, render } from 'preact';
import { afterEach, expect, it } from 'vitest';
import { renderDocuments } from '../../../infra/site/documents.ts';
import { Header } from '../../../web/parts/header.tsx';
import { closeDesk } from './desk.ts';

afterEach(closeDesk);

it('is the same in a document without scripts as when the script has drawn it', async () => {
  const documents = await renderDocuments();
  render(h(Header, { path: '/docs', account: null }), document.body);
  const drawn = document.body.innerHTML;
  // Apart from the body, whose content the next test would find.
  const read = document.createElement('div');
  for (const [path, content] of documents.filter(([name]) => name.endsWith('.html'))) {
    read.innerHTML = /<header class="top">.*<\/header>/s.exec(content.toString())?.[0] ?? path;
    expect(read.innerHTML).toBe(drawn);
  }
});
