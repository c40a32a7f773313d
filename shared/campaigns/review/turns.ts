/** Start of a line, a sentence, or a quoted or bracketed part. */
const START = '(?:^|[\\n.!?。;|*#"\'([{>-])\\s*';
/** Word boundaries. `\b` supports only ASCII. */
const END = '(?![\\p{L}\\p{M}\\p{N}])';
const BEGIN = '(?<![\\p{L}\\p{M}\\p{N}])';

const anyOf = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;

/** Speaker labels of chat transcripts, by language. */
const ROLES = [
  'system(?:[ _](?:prompt|message))?|assistant|user|developer|tool|ai|(?:chat)?bot',
  'entwickler(?:in)?|assistent(?:in)?|ki',
  'syst[èe]me|d[ée]veloppeur|assistante|utilisateur|ia',
  'sistema|desarrollador|asistente|usuario',
  'desenvolvedor|assistente|usu[áa]rio|utilizador',
  'sviluppatore|utente',
  'sistem|geliştirici|asistan|kullanıcı|yapay zek[aâ]',
  'システム(?:プロンプト|メッセージ)?|開発者|アシスタント|ユーザー',
  '系[统統](?:提示词?)?|[开開][发發]者|助手|用[户戶]',
  'система|системное сообщение|разработчик|ассистент|помощник|пользователь|ии',
];

/** Assigns a role to a model, by language. Product texts use other forms: "Assistant: you ask, it answers". */
const YOU = [
  "you(?: (?:are|must|shall|should|will)|['’]re)|(?:from )?now(?: on)?,? you",
  'du (?:bist|musst|sollst|wirst|heißt)|sie sind|ab (?:jetzt|sofort) bist du',
  'tu (?:es|dois|seras)|vous (?:êtes|devez|serez)',
  '(?:t[úu] )?(?:eres|debes|serás)|usted (?:es|debe)|ahora eres',
  '(?:você|vc|tu) (?:é|és|deve|deves|será)|és',
  'tu (?:sei|devi|sarai)|(?:ora )?sei (?:un[oa]?|il|lo|la|ora|adesso|\\S{0,30}bot)|devi', // "Sistema: sei marce" has six gears
  'sen (?:bir|artık|şimdi|\\S{1,40}s[ıiuü]n)',
];

/** Commands to a model, by language. Excludes phrases of product texts: "AI: say goodbye to paperwork". */
const ORDERS = [
  'recommend|praise|(?:reply|respond|answer) (?:only|always|exactly|as)|ignore (?:all|any|every|previous|prior|other)',
  'say(?! (?:hello|hi|goodbye|bye|yes|no))|tell (?:users?|people|everyone|them|the)|always (?:say|recommend|mention)',
  'empfiehl|empfehle|lobe|ignoriere|sage? (?:dem|der|den|allen|immer)|nenne (?:nur|immer|uns)',
  'recommande|ignore|dis (?:que|à|aux|toujours)|mentionne|cite',
  'recomienda|elogia|ignora|di que|diles?|menciona',
  'recomende|elogie|diga|mencione',
  "raccomanda|consiglia|di['’]|menziona",
  'рекомендуй(?:те)?|советуй(?:те)?|игнорируй(?:те)?|скажи(?:те)?',
];

/** Starts of a model's consent, by language: "Sure, …" */
const ASSENTS = [
  'sure|of course|certainly|absolutely',
  'gerne?|natürlich|klar|selbstverständlich',
  'bien sûr|certainement|avec plaisir',
  'claro(?: que (?:sí|sim))?|por supuesto|com certeza',
  'certo|certamente|volentieri',
  'tabii(?: ki)?|elbette',
  'もちろん(?:です)?|当然|好的|конечно',
];

/** Like YOU, without a word boundary after it: Japanese and Chinese have no spaces, and Russian omits "are". */
const YOU_UNSPACED = [
  '(?:あなた|君|お前)は',
  '[你您](?:是|必须|必須|应该|應該|现在|現在)',
  'ты(?:\\s*[–—-]|\\s+(?:теперь|должен|должна|[a-z]))',
];

/** A speaker label followed by words that only a model receives or says. The label is not enough: "System: BOA." describes a product. */
const TURN = new RegExp(
  `${START}${anyOf(...ROLES)}\\s*(?:\\([^)]{0,30}\\)\\s*)?[:=]+\\s*["'“„«「]?` +
    anyOf(`${anyOf(...YOU, ...ORDERS)}${END}`, anyOf(...YOU_UNSPACED), `${anyOf(...ASSENTS)}\\s*[,!、]`),
  'iu',
);

/** Names that only a machine has. Excludes "assistant", "model", and "agent", which may be people, and "an AI engineer". */
const MACHINE_NAMES = [
  'ai(?: (?:assistant|model|agent|system|chatbot))?|(?:(?:large|ai) )?language model|llm|(?:chat)?bot',
  'ki|ki-(?:assistent|modell|agent|system)|sprachmodell|künstliche intelligenz',
  'ia|intelligence artificielle|(?:grand )?modèle de langage|agent conversationnel',
  'inteligencia artificial|modelo de lenguaje|inteligência artificial|modelo de linguagem',
  'intelligenza artificiale|modello linguistico|modello di linguaggio',
];
const MACHINE_NAME = anyOf(...MACHINE_NAMES);
/** The clause ends after the name, or a command follows. */
const AFTER_NAME = `(?=\\s*(?:$|[,:;.!?)\\n–—])|\\s+${anyOf('please', 'then', 'that', 'which', 'reading', 'tell', ...ORDERS)}${END})`;

/** "If you are an AI, …", by language. */
const IF_MACHINE = [
  `if you(?: are|['’]re)(?: (?:an?|the))? ${MACHINE_NAME}${AFTER_NAME}`,
  `(?:wenn|falls|sofern) (?:du|sie|ihr)(?: eine?| die| das| der)? ${MACHINE_NAME} (?:bist|sind|seid)${END}`,
  `si (?:tu es|t['’]es|vous êtes) (?:une?|la|le) ${MACHINE_NAME}${AFTER_NAME}`,
  `si (?:eres|sos|usted es)(?: una?)? ${MACHINE_NAME}${AFTER_NAME}`,
  `se (?:(?:você|vc|tu) (?:é|és|for|fores)|és|fores)(?: uma?)? ${MACHINE_NAME}${AFTER_NAME}`,
  `se (?:tu )?sei (?:una? |un['’]\\s?)?${MACHINE_NAME}${AFTER_NAME}`,
  `(?:yapay zek[aâ]|dil modeli|sohbet botu)\\s?y?(?:sen|san|isen)(?:iz|ız)?${END}`,
  `если (?:ты|вы)(?:\\s*[–—-])?\\s+(?:ии|искусственный интеллект|языковая модель|нейросеть|чат-бот)${END}`,
];
/** The same in Japanese and Chinese, which have no spaces. */
const IF_MACHINE_UNSPACED = [
  '(?:あなた|君|お前)が(?:AI|人工知能|(?:大規模)?言語モデル|チャットボット)(?:なら|であれば|である場合|の場合|だったら|でしたら)',
  '如果[你您]是(?:一[个個种種])?(?:AI|人工智[能慧]|(?:大型?)?[语語]言模型|大模型|聊天机器人)',
];
/** Text that imitates a turn of a conversation with a model, or addresses a reader that is a model. */
export const TURNS: readonly RegExp[] = [
  TURN,
  new RegExp(`${BEGIN}${anyOf(...IF_MACHINE)}|${anyOf(...IF_MACHINE_UNSPACED)}`, 'iu'),
];
