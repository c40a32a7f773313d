import { Skeleton } from '../parts/skeleton.tsx';

/** Stands in for the campaign form. */
export const FormSkeleton = () => (
  <div class="columns">
    <section class="card">
      <Skeleton of="the form" as="fields" lines={6} />
    </section>
    <section class="card">
      <Skeleton of="the preview" />
    </section>
  </div>
);
