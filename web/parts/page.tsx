import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SITE_NAME } from '../../shared/platform/values/site-settings.ts';

interface PageProps {
  title: string;
  /** Whether the title is still provisional: a placeholder of its height stands in for it. */
  isLoading?: boolean;
  /** How many buttons will come while the page loads. */
  buttons?: number;
  /** The parent page, if there is one. */
  above?: { href: string; name: string };
  /** Next to the heading, such as a status. */
  badge?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The path that the visitor entered by, until they leave it. */
let opened: string | null | undefined;

/** A page with its title, also in the window's title. After navigation, focuses the heading so that a screen reader continues there. */
export function Page({ title, isLoading = false, buttons = 0, above, badge, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${SITE_NAME}`;
  }, [title]);
  useEffect(() => {
    // The browser itself starts at the top of a newly opened page.
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
            {isLoading && <span class="blank" />}
            <span class={isLoading ? 'unseen' : ''}>{title}</span>
          </h1>
          {badge}
        </div>
        {(actions || buttons > 0) && (
          <div class="actions">
            {actions}
            {Array.from({ length: buttons }, (_, place) => (
              <span key={place} class="button blank" />
            ))}
          </div>
        )}
      </div>
      {children}
    </>
  );
}
