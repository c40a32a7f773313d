import type { Exchange } from '../session.ts';

/** The requests behind all of this, for who wants to repeat them. */
export const Exchanges = ({ exchanges }: { exchanges: readonly Exchange[] }) => (
  <details class="exchanges">
    <summary>API requests</summary>
    <ol>
      {exchanges.map(({ request, status, ms, requestId }, index) => (
        <li key={index}>
          <code>{request}</code> {status}, {ms} ms{requestId && <small> {requestId}</small>}
        </li>
      ))}
    </ol>
  </details>
);
