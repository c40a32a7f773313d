import { hydrate, render } from 'preact';
import { Copy } from '../parts/copy.tsx';
import { DocsHeader } from './header.tsx';
import { showOrigin } from './origin.ts';
import { Search } from './search.tsx';

// The API reference was at /docs, with its operations as fragments.
if (location.pathname === '/docs' && location.hash.startsWith('#/'))
  location.replace(`/docs/reference${location.hash}`);

hydrate(<DocsHeader />, document.querySelector('#top')!);
render(<Search />, document.querySelector('#search')!);

for (const { firstChild } of document.querySelectorAll('.origin'))
  if (firstChild instanceof Text) firstChild.data = showOrigin(firstChild.data, location.origin);

for (const block of document.querySelectorAll('.code')) {
  const place = document.createElement('div');
  place.className = 'copy';
  block.append(place);
  render(<Copy text={block.querySelector('code')!.textContent} what="code" />, place);
}

const headings = [...document.querySelectorAll('main :is(h2, h3)[id]')];
/** Only of the table beside the text. The one above the text scrolls with it. */
const links = [...document.querySelectorAll<HTMLAnchorElement>('nav.contents a')];
/** How far below the top of the window a heading has to be before its section no longer counts as the one that is read. */
const READING_PX = 140;

/** Marks the section that is being read in the table of contents. */
function markSection(): void {
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const current = isAtEnd
    ? headings.at(-1)
    : headings.findLast((heading) => heading.getBoundingClientRect().top < READING_PX);
  for (const link of links) {
    const isCurrent = current !== undefined && link.hash === `#${current.id}`;
    if (isCurrent === link.hasAttribute('aria-current')) continue;
    if (isCurrent) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
    if (isCurrent) link.scrollIntoView({ block: 'nearest' });
  }
}
if (links.length > 0) {
  addEventListener('scroll', markSection, { passive: true });
  markSection();
}
