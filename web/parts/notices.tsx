import { Page } from './page.tsx';

export const NoSuchPage = () => (
  <Page title="Page not found">
    <section class="card empty" aria-label="Nothing here">
      <p>Nothing exists at this address. It may have been deleted, or it belongs to another user.</p>
      <a class="button primary" href="/campaigns">
        Go to your campaigns
      </a>
    </section>
  </Page>
);

/** Shown if the visitor cannot be determined. */
export const Unreachable = () => (
  <Page title="The page could not start">
    <p class="banner" role="alert">
      The service or its sign-in does not respond.
    </p>
    <p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        Try again
      </button>
    </p>
  </Page>
);

interface NotLoadedProps {
  onAgain(): void;
}

const ServiceProblem = ({ says, onAgain }: NotLoadedProps & { says: string }) => (
  <p class="problem" role="alert">
    {says}{' '}
    <button type="button" class="small" onClick={onAgain}>
      Try again
    </button>
  </p>
);

/** Shown instead of a part whose script does not load because the service does not respond. */
export const NotLoaded = ({ onAgain }: NotLoadedProps) => (
  <ServiceProblem says="This part of the page could not be loaded: the service does not respond." onAgain={onAgain} />
);

export const NotLoadedPage = ({ onAgain }: NotLoadedProps) => (
  <Page title="The page could not be loaded">
    <ServiceProblem says="The service does not respond." onAgain={onAgain} />
  </Page>
);

/** Shown instead of a part whose script was removed by a new deployment, or which the browser does not load again. */
export const Outdated = () => (
  <section class="card empty" aria-label="New version" role="status">
    <p>Reload to continue with the current version of this page.</p>
    <button type="button" class="primary" onClick={() => location.reload()}>
      Reload
    </button>
  </section>
);

export const OutdatedPage = () => (
  <Page title="New version">
    <Outdated />
  </Page>
);

/** Shown if the resource does not exist. */
export const Missing = ({ what, all, back }: { what: string; all: string; back: string }) => (
  <Page title={`This ${what} does not exist`} above={{ href: back, name: all }}>
    <section class="card empty" aria-label="Nothing here">
      <p>It was deleted, or it belongs to another user.</p>
      <a class="button primary" href={back}>
        {`Go to ${all.toLowerCase()}`}
      </a>
    </section>
  </Page>
);
