import type { VisitorEntry } from '../visitor.ts';
import { Page } from './page.tsx';

/** Why the visitor is not signed in. */
export default function NotSignedIn({ arrival }: { arrival: VisitorEntry }) {
  return arrival.outcome === 'refused' ? <Refused code={arrival.code} /> : <NoSignIn />;
}

const NoSignIn = () => (
  <Page title="Sign-in is not set up">
    <p>
      This deployment has no sign-in for its page. Its operator switches it on with <code>managementAuth=jwt</code> and{' '}
      <code>jwtClientId</code>; until then the <a href="/docs">API and its documents</a> are there to read.
    </p>
  </Page>
);

/** @param code the issuer's error code */
const Refused = ({ code }: { code: string | null }) => (
  <Page title="You are not signed in">
    <p>
      {code ? (
        <>
          The sign-in was denied: <code>{code}</code>. Your account may not have access to this page. Ask its operator.
        </>
      ) : (
        'We could not complete the sign-in.'
      )}
    </p>
    <p>
      <button type="button" class="primary" onClick={() => location.assign('/')}>
        Sign in again
      </button>
    </p>
  </Page>
);
