/** Frequent in programs, formulas, and markup; rare in speech. */
const SIGNS = /[{}=;\\`|]|\(\)/g;
/** The minimum number of these signs, and their minimum share of the characters. */
const MIN_SIGNS = 3;
const MIN_SHARE = 0.01;
/**
 * Code with few of these signs, recognized mostly by how its lines begin. Speech uses the same words, but not followed
 * by the same signs.
 */
const PATTERNS = [
  /^[ \t]*(?:async )?(?:def|function|func|fn) \w{1,60}[ \t]?\(/m,
  /^[ \t]*(?:export |public |abstract )*class \w{1,60}[ \t]?[({]/m,
  /^[ \t]*(?:const|let|var) \w{1,60}[ \t]?=/m,
  /^[ \t]*(?:if|for|while)[ \t]?\(.{1,200}\)[ \t]?\{/m,
  /^[ \t]*from [\w.]{1,60} import \w/m,
  /^[ \t]*import (?:\w{1,60} from ['"]|[\w.]{1,60};|\w{1,60} as \w{1,60}$)/m,
  /^[ \t]*#[ \t]?(?:include[ \t]?[<"]|define \w)/m,
  // Rare in speech, so they may match anywhere in the text. <b> and <p> are left out: people paste formatted text.
  /\b(?:console\.(?:log|error|warn)|System\.out\.print(?:ln|f)?|document\.\w{1,40}|printf|print)\(/,
  /<\/?(?:body|div|form|head|html|input|script|span|style|table|td|tr)(?: [^<>]{0,200})?>[^<>]{0,400}<\/?\w/i,
  /\bSELECT [\w*.,() ]{1,200} FROM \w/,
  /^[ \t]*select [\w*., ]{1,200} from \w{1,60}[ \t]*(?:;|where \w+ ?[=<>]|$)/m,
  /\b(?:INSERT INTO|DELETE FROM|CREATE TABLE|ALTER TABLE) \w/,
];

/** Every pattern needs one of these. Most texts have none and skip the patterns. */
const HINT = /[({<=#]|\b(?:import|select|insert|delete|create|alter) /i;

/**
 * Whether a text contains code, a formula, or markup. There, words such as "map", "package", and "table" do not name
 * products.
 */
export function hasCode(text: string): boolean {
  const signs = text.match(SIGNS)?.length ?? 0;
  if (signs >= MIN_SIGNS && signs >= MIN_SHARE * text.length) return true;
  return HINT.test(text) && PATTERNS.some((pattern) => pattern.test(text));
}
