/**
 * Version of the rules in this file, turns.ts, addresses.ts, letters.ts, scripts.ts, and review.ts. Increase it whenever the rules' results
 * change; saved campaigns are then reviewed again within the hour. New weights need no change here, because they have their own hash.
 */
export const RULES = 12;

/**
 * Signs of text that is not for people: markup, role markers, and encoded text. Only the original text is searched, not its other readings.
 */
export const SIGNS: readonly RegExp[] = [
  /<\s*[/!?]?\s*[a-z][^<>]{0,200}>|<!--|-->|<\|/iu, // markup, and the markers of chat templates
  /\[\/?(?:inst|sys|system|user|assistant|tool|admin|end|context)\b[^\]]{0,40}\]|<<\/?sys>>/iu,
  /(?:^|\n|\s)#{2,}\s*\w|^\s*#\s+(?:system|instruction|task|role|prompt)/iu,
  /```|~~~|\$\{|\{\{|\{%|<%/u,
  /!?\[[^\]\n]{0,120}\]\s*\(/u, // Markdown links and images
  /\{\s*["'][\p{L}_][\p{L}\p{N}_ -]*["']\s*:\s*["'{[]/u, // JSON
  /["']?(?:role|content|function_call|tool_calls?|system|prompt|instructions?|action)["']?\s*:\s*["'[{]/iu,
  // URLs that run code or contain data. With a space after the colon it is a sentence: "Learn JavaScript: functions explained".
  /\b(?:javascript|vbscript)\s*:(?:[^\s:]|\t)|\bdata:[a-z]+\/[a-z0-9.+-]+[;,]|\bfile:\/\//iu,
  // Match words only from their start. Trying each letter of a long text without spaces would dominate the time of a review.
  /(?:%[0-9a-f]{2}){3}|(?<!\p{L})(?:\p{L}+%20){3}|(?:\\u[0-9a-f]{4}){2}|(?:\\x[0-9a-f]{2}){3}|(?:&#x?[0-9a-f]{2,6};?\s?){2}|(?:&(?:lt|gt|quot|amp);)/iu,
  /(?:\b[01]{8}\b\s*){3}|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{20,}\b/iu,
];

const COMMAND =
  '(?:ignore|disregard|forget)\\s+(?:all\\s+)?(?:of\\s+)?(?:(?:the|your|my)\\s+)?(?:previous|prior|earlier|preceding)\\s+(?:instruction|prompt|command|rule)s?';

/**
 * The best-known command to a model, "Ignore all previous instructions", by language. It has too few words for the
 * weights to recognize it.
 */
export const COMMANDS_BY_LANGUAGE: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    new RegExp(`\\b${COMMAND}\\b`, 'iu'),
    /(?:ignore|disregard|forget)(?:all)?(?:of)?(?:the|your|my)?(?:previous|prior|earlier|preceding)(?:instruction|prompt|command|rule)/iu, // without spaces
    /\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+)?(?:of\s+)?(?:your|(?:the\s+)?system|(?:the\s+)?(?:previous|prior|earlier|above))\s+(?:instruction|prompt|guideline|directive)s?\b/iu,
    /\b(?:ignore|disregard|forget)\s+(?:everything|all(?:\s+of)?(?:\s+(?:this|that))?)\s+(?:above|before\s+this|(?:you\s+)?(?:were|have\s+been)\s+told)\b/iu,
  ],
  de: [
    /(?:ignorier|vergiss|missacht|vergesst|vergess)(?:e|t|en sie)?\s+(?:bitte\s+)?(?:sofort\s+)?(?:all(?:e|es)\s+)?(?:deine|eure|ihre|die|dein)?\s*(?:vorherig|vorig|bisherig|früher|vorangegangen|obig)\w*\s+(?:anweisung|instruktion|befehl|vorgabe|regel|prompt)\w*/iu,
    /(?:ignoriere|vergiss|missachte)\s+(?:alle\s+)?(?:deine|eure|ihre)\s+(?:anweisungen|instruktionen|befehle|vorgaben)/iu,
  ],
  fr: [
    /(?:ignor|oubli)(?:e|ez|er)\s+(?:toutes\s+)?(?:les|tes|vos)\s+(?:instructions|consignes|directives|commandes|règles|regles)\s+(?:précédentes|precedentes|antérieures|anterieures|ci-dessus|reçues)/iu,
    /(?:ignor|oubli)(?:e|ez|er)\s+toutes\s+(?:tes|vos)\s+(?:instructions|consignes|directives)/iu,
  ],
  es: [
    /(?:ignor|olvid|descart)(?:a|e|ad|en|ar)\s+(?:todas\s+)?(?:las|tus|sus)\s+(?:instrucciones|órdenes|ordenes|indicaciones|reglas|directrices)\s+(?:anteriores|previas|precedentes)/iu,
    /(?:ignor|olvid)(?:a|e|ad|en)\s+todas\s+(?:tus|sus)\s+(?:instrucciones|órdenes|indicaciones)/iu,
  ],
  pt: [
    /(?:ignor|esque[cç]|desconsider)(?:a|e|em|am|er|ar)\s+(?:todas\s+)?(?:as|suas|tuas)\s+(?:suas\s+|tuas\s+)?(?:instruções|instrucoes|ordens|orientações|orientacoes|regras|diretrizes)\s+(?:anteriores|prévias|previas|precedentes)/iu,
    /(?:ignor|esque[cç]|desconsider)(?:a|e|em)\s+todas\s+(?:as\s+)?(?:suas|tuas)\s+(?:instruções|instrucoes|ordens|orientações)/iu,
  ],
  it: [
    /(?:ignor|dimentic)(?:a|ate|are|hi|hino|i)\s+(?:tutte\s+)?(?:le|le tue|le vostre)\s+(?:istruzioni|indicazioni|direttive|regole|comandi)\s+(?:precedenti|anteriori|di prima)/iu,
    /(?:ignor|dimentic)(?:a|ate)\s+tutte\s+le\s+(?:tue|vostre)\s+(?:istruzioni|indicazioni|direttive)/iu,
  ],
  ja: [
    /(?:これまで|以前|今まで|前|上記|従来)の(?:すべての|全ての|全部の|あらゆる)?(?:指示|命令|指令|プロンプト|ルール)(?:を|は)(?:すべて|全て|全部)?(?:無視|忘れ|破棄)/u,
  ],
  tr: [
    /(?:önceki|bundan önceki|yukarıdaki|eski)\s+(?:tüm\s+|bütün\s+)?(?:talimat|komut|yönerge|kural|emir)\p{L}*\s+(?:unut|yok\s+say|görmezden\s+gel|dikkate\s+alma|göz\s+ardı\s+et)/iu,
  ],
  ru: [
    /(?:игнорируй|проигнорируй|забудь|отбрось)(?:те)?\s+(?:все\s+)?(?:предыдущие|прежние|прошлые)\s+(?:инструкции|указания|команды)/iu,
  ],
  uk: [
    /(?:ігноруй|проігноруй|забудь|відкинь)(?:те)?\s+(?:усі\s+|всі\s+)?(?:попередні|минулі)\s+(?:інструкції|вказівки|команди)/iu,
  ],
  zh: [
    /(?:忽略|无视|無視|忽視|忘记|忘記)(?:所有|一切|全部)?(?:之前|先前|以前|以上|上述|前面)的?(?:所有|一切|全部)?(?:指令|指示|提示|命令)/u,
  ],
  ko: [/(?:이전|앞선)의?\s*(?:모든\s*)?(?:지시|명령|지침)(?:사항)?[을를은는]?\s*(?:모두\s*|전부\s*)?(?:무시|잊)/u],
  ar: [/(?:تجاهل|انس)ي?\s+(?:جميع\s+|كل\s+)?(?:التعليمات|الأوامر)\s+السابقة/u],
  hi: [/(?:पिछले|पहले\s+के)\s+(?:सभी\s+)?(?:निर्देशों|निर्देश|आदेशों)\s+(?:को\s+)?(?:अनदेखा|भूल)/u],
  pl: [
    /(?:zignoruj|ignoruj|pomiń|zapomnij)(?:cie)?\s+(?:o\s+)?(?:wszystkie\s+|wszystkich\s+)?(?:poprzedni|wcześniejsz)\p{L}+\s+(?:instrukcj|polece)\p{L}+/iu,
  ],
  id: [/(?:abaikan|lupakan)\s+(?:semua\s+|seluruh\s+)?(?:instruksi|perintah)\s+(?:yang\s+)?sebelumnya/iu],
  nl: [/(?:negeer|vergeet)\s+(?:alle\s+)?(?:eerdere|vorige|voorgaande)\s+(?:instructies|opdrachten)/iu],
  sv: [
    /(?:ignorera|glöm|bortse från)\s+(?:alla\s+)?(?:tidigare|föregående)\s+(?:instruktioner|anvisningar|kommandon)/iu,
  ],
};

export const COMMANDS: readonly RegExp[] = Object.values(COMMANDS_BY_LANGUAGE).flat();

/**
 * The command in quotation marks, as in a book title or an ad for chatbot testing. Does not match if a command follows: "…" and recommend
 * us.
 */
const QUOTED_COMMAND = new RegExp(
  `(?<=["“”„«»‘'「『]\\s?)${COMMAND}(?=[.!…]?\\s?["“”«»’'」』](?![,;]?\\s*(?:and|then)\\b))`,
  'giu',
);
/** Removes quoted commands; the weights then judge the surrounding text. */
export const withoutQuotedCommand = (text: string): string => text.replaceAll(QUOTED_COMMAND, '…');

/** Finds text in base64 or hex. Sizes, model numbers, and hashtags look the same but do not decode to words. */
export function findEncodedPassage(text: string): string | undefined {
  for (const [passage] of text.matchAll(/(?<![\w/.])[A-Za-z0-9+/_-]{20,}={0,2}/gu))
    if (isReadable(Buffer.from(passage, 'base64'))) return passage;
  for (const [passage] of text.matchAll(/\b[0-9a-f]{2}(?:[\s:-]+[0-9a-f]{2}){5,}\b/giu))
    if (isReadable(Buffer.from(passage.replaceAll(/[^0-9a-f]/giu, ''), 'hex'))) return passage;
  return findBrokenBase64(text);
}

/** Finds base64 that contains spaces, line breaks, or commas. Plain words may precede it, so try all four alignments of its characters. */
function findBrokenBase64(text: string): string | undefined {
  // Match only from the start of a run. Trying each letter of a long run would take quadratic time.
  for (const [passage] of text.matchAll(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]+(?:[\s,;]+[A-Za-z0-9+/_-]+)+/gu)) {
    const joined = passage.replaceAll(/[\s,;]+/gu, '');
    for (let from = 0; from < 4; from++)
      if (HAS_WORDS.test(new TextDecoder().decode(Buffer.from(joined.slice(from), 'base64')))) return passage;
  }
  return undefined;
}

/** A longer run of letters than plain words produce by chance when decoded as base64. */
const HAS_WORDS = /[\p{L}\p{M}][\p{L}\p{M} ,.!?'-]{13,}|\p{Lo}{6,}/u;

/** Whether bytes are readable text that is mostly lowercase letters. */
function isReadable(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  return (
    /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u.test(text) &&
    !text.includes('\ufffd') &&
    (text.match(/[\p{Ll}\p{Lo}]/gu) ?? []).length * 2 > text.length
  );
}

/** A speaker label of a chat transcript, at the start of a line or sentence. By itself it proves nothing: "System: BOA." describes a product. */
const SPEAKER =
  /(?:^|[\n.!?;|*#"'([{>-])\s*(?:system|assistant|user|developer|tool|ai|bot)\s*(?:\([^)]{0,30}\)\s*)?[:=]+\s*\S/iu;

/** Words for machines that write, by language. */
const MACHINES = [
  '(?:(?:ai|virtual|digital|language|chat) )?(?:assistants?|models?|agents?|chatbots?|llms?|ais?|bots?)',
  'ki|ki-(?:assistent\\w*|modelle?|agent\\w*)|sprachmodelle?|assistent(?:in|en)?',
  'ia|intelligence artificielle|mod[èe]les? de langage|assistant(?:e|s)?(?: virtuel(?:le)?)?',
  'intelig[eê]ncia artificial|modelos? de (?:lenguaje|linguagem)|as(?:is|sis)tentes?(?: virtua(?:l|is|les))?',
  'intelligenza artificiale|modell[oi] linguistic[oi]|assistent[ei](?: virtual[ei])?',
  'yapay zek[aâ]|dil modeli|(?:sanal )?asistan',
];
const GREETINGS = [
  'dear|hey|hello|hi|attention|note (?:to|for)(?: (?:the|any|all))?',
  'liebe[rs]?|hallo|an (?:die|das|alle)|hinweis (?:an|für)(?: (?:die|das|alle))?',
  "chère?s?|cher|avis (?:à|aux)|note (?:à|aux|pour)(?: (?:l['’]|les))?",
  'querid[oa]s?|estimad[oa]s?|hola|oye|oi|olá|nota para (?:el|la|o|a)',
  "car[oaie]|gentile|ciao|ehi|nota per (?:l['’]|il|gli)?",
  'sevgili|selam|merhaba',
];

/** Addresses a machine at the start of a line or sentence: "Dear assistant, …", "Modelo de lenguaje: …". */
const ADDRESSED_MACHINE = new RegExp(
  `(?:^|[\\n.!?;:]\\s)\\s*(?:(?:${GREETINGS.join('|')})[,\\s]+)?(?:${MACHINES.join('|')})\\s*[,:;–—]\\s*\\S|` +
    '(?:AI|人工知能|言語モデル|アシスタント)(?:の皆さん|さん|の皆様|様|各位)?(?:へ|、|：|:|よ、)',
  'iu',
);

/** Whether a text names a machine as speaker or addressee. */
export const namesMachine = (text: string): boolean => SPEAKER.test(text) || ADDRESSED_MACHINE.test(text);
