import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  title: string;
  /** Where the page stands below another. */
  above?: { href: string; name: string };
  /** Beside the heading: a state, say. */
  beside?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

const SITE = 'Ads for conversations';
/** Where the visitor came in, while they are still there. */
let opened: string | null | undefined;

/** A page with its title, which becomes the window's; who came by a link hears and reads on from there. */
export function Page({ title, above, beside, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${SITE}`;
  }, [title]);
  useEffect(() => {
    // The browser itself begins at the top of what was just opened.
    if (opened === undefined) opened = location.pathname;
    if (opened === location.pathname) return;
    opened = null;
    if (!document.querySelector('main :focus')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div class="page-head">
        <div class="page-title">
          {above && (
            <a class="above" href={above.href}>
              <span aria-hidden="true">←</span> <bdi>{above.name}</bdi>
            </a>
          )}
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {beside}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
