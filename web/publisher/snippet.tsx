import { lazyPart } from '../parts/deferred.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

export const RequestSnippet = lazyPart(
  () => import('./request-snippet.tsx'),
  <section class="card">
    <Skeleton of="the snippet" lines={12} />
  </section>,
);
