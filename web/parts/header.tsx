import type { ComponentChildren } from 'preact';
import { SECTIONS, SITE_NAME } from '../../shared/platform/values/site-settings.ts';

const isWithin = (path: string, address: string): boolean =>
  address === '/' ? path === '/' : path.startsWith(address);

/** The bar above every page. @param account the visitor, and how to switch to another */
export const Header = ({ path, account }: { path: string; account: ComponentChildren }) => (
  <header class="top">
    <a class="brand" href="/">
      <span class="mark" aria-hidden="true" />
      {SITE_NAME}
    </a>
    <nav aria-label="Sections">
      {SECTIONS.map(([address, name]) => (
        <a key={address} href={address} aria-current={isWithin(path, address) ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    {account}
  </header>
);
