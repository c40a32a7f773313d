/** Signs that programs, formulas and markup are full of and speech hardly has. */
const SIGNS = /[{}=;\\`|]|\(\)/g;
/** Least number of them, and least share of the characters. */
const MIN_SIGNS = 3;
const MIN_SHARE = 0.01;
/** Code that needs few of them, mostly by how its lines begin. Speech has the words too, but not followed by this. */
const PATTERNS = [
  /^[ \t]*(?:async )?(?:def|function|func|fn) \w{1,60}[ \t]?\(/m,
  /^[ \t]*(?:export |public |abstract )*class \w{1,60}[ \t]?[({]/m,
  /^[ \t]*(?:const|let|var) \w{1,60}[ \t]?=/m,
  /^[ \t]*(?:if|for|while)[ \t]?\(.{1,200}\)[ \t]?\{/m,
  /^[ \t]*from [\w.]{1,60} import \w/m,
  /^[ \t]*import (?:\w{1,60} from ['"]|[\w.]{1,60};|\w{1,60} as \w{1,60}$)/m,
  /^[ \t]*#[ \t]?(?:include[ \t]?[<"]|define \w)/m,
  // What hardly anybody says, wherever in a text. Markup that only sets text off, <b> or <p>, people paste with what they say.
  /\b(?:console\.(?:log|error|warn)|System\.out\.print(?:ln|f)?|document\.\w{1,40}|printf|print)\(/,
  /<\/?(?:body|div|form|head|html|input|script|span|style|table|td|tr)(?: [^<>]{0,200})?>[^<>]{0,400}<\/?\w/i,
  /\bSELECT [\w*.,() ]{1,200} FROM \w/,
  /^[ \t]*select [\w*., ]{1,200} from \w{1,60}[ \t]*(?:;|where \w+ ?[=<>]|$)/m,
  /\b(?:INSERT INTO|DELETE FROM|CREATE TABLE|ALTER TABLE) \w/,
];

/** One of these is in all of them. Most texts have none, and are asked nothing else. */
const HINT = /[({<=#]|\b(?:import|select|insert|delete|create|alter) /i;

/** Whether a text shows code, a formula or markup: "map", "package" and "table" name nothing that is sold there. */
export function hasCode(text: string): boolean {
  const signs = text.match(SIGNS)?.length ?? 0;
  if (signs >= MIN_SIGNS && signs >= MIN_SHARE * text.length) return true;
  return HINT.test(text) && PATTERNS.some((pattern) => pattern.test(text));
}
