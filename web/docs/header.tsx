import { useEffect, useState } from 'preact/hooks';
import type { SiteSettings } from '../../shared/platform/values/site-settings.ts';
import { AccountMenu } from '../parts/account.tsx';
import { Header } from '../parts/header.tsx';
import type { Visitor } from '../session.ts';
import { become, readSiteSettings, recallVisitor, signOut } from '../visitor.ts';

/** The bar above the documents, which everyone may read: it never asks to sign in by itself. */
export function DocsHeader() {
  const [settings, setSettings] = useState<SiteSettings | null>(null);
  const [visitor, setVisitor] = useState<Visitor | null>(null);
  useEffect(() => {
    readSiteSettings().then(
      (found) => {
        setSettings(found);
        setVisitor(recallVisitor(found));
      },
      () => {}, // the documents need no account
    );
  }, []);
  const demo = settings?.demo;
  const account = visitor ? (
    <AccountMenu
      visitor={visitor}
      users={demo?.users ?? []}
      onBecome={(user) => demo && setVisitor(become(demo, user))}
      onSignOut={() => signOut(location.pathname)}
    />
  ) : (
    settings?.signIn && (
      <div class="account">
        <a href="/">Sign in</a>
      </div>
    )
  );
  return <Header path="/docs" account={account} />;
}
