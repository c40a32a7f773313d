/** The parts of react-dom that the card's tests use. The package has no types. */
declare module 'react-dom/client' {
  import type { ReactNode } from 'react';

  export interface Root {
    render(children: ReactNode): void;
    unmount(): void;
  }
  export function createRoot(container: Element): Root;
  export function hydrateRoot(container: Element, children: ReactNode): Root;
}

declare module 'react-dom/server' {
  import type { ReactNode } from 'react';

  export function renderToString(children: ReactNode): string;
}
