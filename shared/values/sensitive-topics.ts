/**
 * The sensitive topics of the IAB Content Taxonomy 3.0 and 3.1, and beside them crime, disasters, bereavement and war: what a publisher calls so
 * is no place for an ad.
 */
const SENSITIVE_TOPICS = new Set(
  'v9i3On Rm3SiT avbNf2 XtODT3 I4GWl6 Z7rJBM HxqYV1 pg0WhF j9PaO9 mm3UXx 6i4dB6 8FD8nI 380 381 187 389'.split(' '),
);

export const isSensitiveTopic = (id: string): boolean => SENSITIVE_TOPICS.has(id);
