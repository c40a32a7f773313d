import { useMemo, useState } from 'preact/hooks';
import { LocationProvider, Route } from 'preact-iso/router';
import type { SiteSettings } from '../shared/platform/values/site-settings.ts';
import { AccountMenu } from './parts/account.tsx';
import { lazyPage, lazyPart } from './parts/deferred.tsx';
import { Layout } from './parts/layout.tsx';
import { NoSuchPage, Unreachable } from './parts/notices.tsx';
import { Pages } from './parts/pages.tsx';
import { mayLeave } from './parts/unsaved.ts';
import { openSession, SessionContext } from './session.ts';
import { createToasts } from './toasts.ts';
import { become, signOut, type VisitorEntry } from './visitor.ts';

// Most pages have these parts. Apart from the app, each would be a script of its own.
import './parts/bar.tsx';
import './parts/live.ts';
import './parts/problem.tsx';
import './parts/skeleton.tsx';
import './parts/status.tsx';
import './parts/time.tsx';

const HomePage = lazyPage(() => import('./home/home-page.tsx'));
const CampaignsPage = lazyPage(() => import('./campaigns/list-page.tsx'));
const CampaignPage = lazyPage(() => import('./campaigns/campaign-page.tsx'));
const CampaignsReportPage = lazyPage(() => import('./campaigns/report-page.tsx'));
const NewCampaignPage = lazyPage(() => import('./campaigns/new-page.tsx'));
const EditCampaignPage = lazyPage(() => import('./campaigns/edit-page.tsx'));
const WebhooksPage = lazyPage(() => import('./webhooks/list-page.tsx'));
const WebhookPage = lazyPage(() => import('./webhooks/webhook-page.tsx'));
const KeysPage = lazyPage(() => import('./publisher/list-page.tsx'));
const KeyPage = lazyPage(() => import('./publisher/key-page.tsx'));
const ActivityPage = lazyPage(() => import('./activity/activity-page.tsx'));
const StatementsPage = lazyPage(() => import('./statements/statements-page.tsx'));
const ChatPage = lazyPage(() => import('./chat/chat.tsx'));
const NotSignedIn = lazyPart(() => import('./parts/not-signed-in.tsx'), null);

/** The pages of this app. The browser itself follows other links. */
const OURS = /^\/($|\?|(campaigns|webhooks|publisher|chat|activity|statements)(\/|\?|$))/;

const Site = () => (
  <Pages>
    <Route path="/" component={HomePage} />
    <Route path="/campaigns" component={CampaignsPage} />
    <Route path="/campaigns/new" component={NewCampaignPage} />
    <Route path="/campaigns/report" component={CampaignsReportPage} />
    <Route path="/campaigns/:id" component={CampaignPage} />
    <Route path="/campaigns/:id/edit" component={EditCampaignPage} />
    <Route path="/webhooks" component={WebhooksPage} />
    <Route path="/webhooks/:id" component={WebhookPage} />
    <Route path="/publisher" component={KeysPage} />
    <Route path="/publisher/:id" component={KeyPage} />
    <Route path="/activity" component={ActivityPage} />
    <Route path="/statements" component={StatementsPage} />
    <Route path="/chat" component={ChatPage} />
    <Route default component={NoSuchPage} />
  </Pages>
);

export interface AppProps {
  demo: SiteSettings['demo'];
  arrival: VisitorEntry;
}

export function App({ demo, arrival }: AppProps) {
  const [visitor, setVisitor] = useState(arrival.outcome === 'known' ? arrival.visitor : null);
  const [toasts] = useState(createToasts);
  const session = useMemo(() => visitor && openSession(visitor, toasts), [visitor]);
  const account = visitor && (
    <AccountMenu
      visitor={visitor}
      users={demo?.users ?? []}
      onBecome={(user) => demo && mayLeave() && setVisitor(become(demo, user))}
      onSignOut={() => signOut()}
    />
  );
  return (
    <LocationProvider scope={OURS}>
      <Layout account={account} health={session?.health ?? null} toasts={toasts}>
        {session ? (
          <SessionContext.Provider key={session.visitor.user} value={session}>
            <Site />
          </SessionContext.Provider>
        ) : (
          <SignedOut arrival={arrival} />
        )}
      </Layout>
    </LocationProvider>
  );
}

const SignedOut = ({ arrival }: { arrival: VisitorEntry }) =>
  arrival.outcome === 'unreachable' ? <Unreachable /> : <NotSignedIn arrival={arrival} />;
