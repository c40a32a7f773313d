/** What is kept of a conversation for its events, in characters (decisions, section 5). */
const MOST = 2_000;
/** Looked at before cutting, so that nothing is half recognised at the cut. */
const MARGIN = 200;

const PRIVATE = [
  // E-mail addresses; parts are bounded, so that the time stays linear.
  /[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]{1,255}/g,
  // Account numbers: IBAN (ISO 13616).
  /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}\b/gi,
  // Telephone, card and account numbers: seven digits or more, however they are grouped.
  /(?:\+|\()?\d(?:[ ().\-/]{0,3}\d){6,}/g,
];

/** A text as it may be kept: cut, with e-mail addresses, phone, card and account numbers replaced. */
export function redact(text: string): string {
  const near = text.slice(0, MOST + MARGIN).toWellFormed();
  return PRIVATE.reduce((kept, pattern) => kept.replace(pattern, '[redacted]'), near)
    .slice(0, MOST)
    .toWellFormed();
}
