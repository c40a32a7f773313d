/**
 * The sensitive topics of the IAB Content Taxonomy 3.0 and 3.1, and beside them, by the ids of 2.0 to 3.1, crime, disasters, bereavement and war: what a publisher calls so
 * is no place for an ad.
 */
const SENSITIVE_TOPICS = new Set(
  'v9i3On Rm3SiT avbNf2 XtODT3 I4GWl6 Z7rJBM HxqYV1 pg0WhF j9PaO9 mm3UXx 6i4dB6 8FD8nI 380 381 187 389'.split(' '),
);

/** Of edition 1.0: non-standard content, of it what is violent, pornographic, profane or full of hate; and all that is illegal. */
const SENSITIVE_CODES_1 = /^IAB(25(-[2-5])?|26(-\d+)?)$/i;

/** No id of one edition is another topic in another edition, so none is asked for. */
export const isSensitiveTopic = (id: string): boolean => SENSITIVE_TOPICS.has(id) || SENSITIVE_CODES_1.test(id);
