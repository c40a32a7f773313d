/**
 * Rules that tell text which addresses a model, not a person. Each is looked for in a text in lower case without accents, its digits and
 * signs that stand for letters put back, so that what is written oddly reads as what it means.
 */

/** Verbs of setting aside, and what a model would have to set aside, in the languages of most ads. */
const SET_ASIDE = [
  'ignore|ignoring|disregard|forget|override|bypass|discard|neglect',
  'ignorier(?:e|en|t)?|vergiss|vergessen sie|missachte|uberschreibe|verwirf',
  'ignorez|ignorer|oublie[rz]?|ne (?:tiens|tenez) pas compte|outrepasse[rz]?',
  'ignora|ignore|ignorad|olvida|olvide|descarta|anula|omite',
  'ignorate|dimentica|dimenticate|trascura|scarta',
  'ignorem|esqueca|esquece|desconsidere|descarte|desconsidera',
  'negeer|vergeet|sla .{0,10}over',
  'zignoruj|ignoruj|zapomnij|pomin',
].join('|');
const RULES_OF_A_MODEL = [
  'instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|polic(?:y|ies)|system message|training|safeguards?|guardrails?|filters?|restrictions|context above|messages above|conversation so far',
  'anweisungen|anweisung|vorgaben|regeln|instruktionen|richtlinien',
  'consignes|regles|directives|instructions precedentes',
  'instrucciones|reglas|indicaciones|ordenes',
  'istruzioni|regole|direttive|indicazioni',
  'instrucoes|regras|diretrizes|orientacoes',
  'instructies|regels|aanwijzingen|opdrachten',
  'instrukcje|instrukcji|polecenia|polecen|zasady|wytyczne',
].join('|');
const MODEL =
  'ai|a\\.i\\.|llms?|gpt|chatgpt|claude|gemini|copilot|language models?|chatbots?|bots?|(?:ai |virtual |digital |chat )assistants?|ai agents?|models?|ki|ia|sztuczna inteligencja|sprachmodelle?|sprachmodells?|modele de langage|modelo de lenguaje|modello linguistico|modelo de linguagem|taalmodel|model jezykowy|asistente|assistente|assistent|assistenten';
const READER =
  '(?:users?|readers?|humans?|person|people|customers?|visitors?|nutzern?|benutzern?|lesern?|utilisateurs?|usuarios?|utente|utenti|usuari[oa]s?|gebruikers?|uzytkownik\\w*)';

/** What is told apart by its words. */
export const PHRASES: readonly RegExp[] = [
  // Set aside what you were told.
  `\\b(?:${SET_ASIDE})\\b[^.!?]{0,60}\\b(?:${RULES_OF_A_MODEL})\\b`,
  `\\b(?:ignore|disregard|forget|vergiss|oublie[rz]?|olvida|dimentica|esqueca|vergeet|zapomnij)\\b[^.!?]{0,30}\\b(?:everything|all|anything|above|previous|prior|earlier|preceding|alles|bisher\\w*|tout|precedent\\w*|todo|anterior\\w*|tutto|precedent[ei]|tudo|vorige|wszystko|poprzedni\\w*)\\b[^.!?]{0,30}\\b(?:said|told|above|before|earlier|read|learned|gesagt|gelesen|dit|dicho|detto|dito|gezegd|powyzej)\\b`,
  `\\bdo not (?:follow|obey|heed|apply)\\b[^.!?]{0,40}\\b(?:${RULES_OF_A_MODEL})\\b`,
  '\\bnew (?:system )?(?:instructions?|prompt|directives?)\\b ?[:=-]',
  // Who the reader is taken for.
  `\\b(?:you are|you're|youre|act as|behave as|pretend (?:to be|you are|that you are)|imagine you are|du bist|sie sind|tu es|vous etes|eres|sei|voce e|je bent|jestes)\\b (?:now |from now on |jetzt |nun |maintenant |ahora |ora |agora |nu |teraz )?(?:an? |the |ein[e]? |un[e]? |una |um[a]? |een )?(?:\\w+ ){0,3}(?:${MODEL}|dan|developer mode|unrestricted|uncensored|jailbroken|shopping agent|sales agent|verkaufer|salesperson|recommender)\\b`,
  `\\b(?:dear|hello|hey|hi|attention|note to|notice to|message (?:to|for)|memo to|instructions? (?:to|for)|important for|hinweis (?:an|fur)|achtung|nachricht an|note (?:a|aux)|message (?:a|pour)|nota (?:a|para|per)|mensaje para|atencion|attenzione|atencao|bericht (?:aan|voor)|let op|uwaga|wiadomosc dla)\\b[ ,:]*(?:the |all |any |every |my |die |das |alle |les |la |le |l'|los |las |il |gli |a |o |os |de |to |wszystkie )*(?:large )?(?:${MODEL}|assistants?)s?\\b(?! (?:lovers?|fans?|users?|experts?|engineers?|developers?|builders?|kits?|trains?|cars?|conference|summit|week|course))`,
  `\\b(?:if|when|since|as|because|wenn|falls|si|se|als|jesli)\\b[^.!?]{0,16}\\b(?:you are|you're|you(?: happen to)? be|du|sie|tu es|vous etes|eres|sei|voce e|je|jestes)\\b[^.!?]{0,10}\\b(?:an? |the |ein[e]? |un[e]? |una |um[a]? |een )?(?:${MODEL})\\b`,
  `\\b(?:as|being) an? (?:ai|large language model|language model|llm|assistant model)\\b`,
  `\\b(?:all |any |every )?(?:ai (?:assistants?|models?|agents?|systems?)|llms?|language models?|chatbots?|assistants?|bots?) (?:must|should|shall|have to|need to|are (?:required|instructed|told|asked) to|reading this|that reads?|who reads?|processing this|summari[sz]ing)\\b`,
  '\\b(?:your|the) (?:system prompt|hidden (?:instructions?|prompt)|initial instructions?|original (?:instructions?|prompt)|developer message|training data|context window|guardrails|safety (?:rules|filters|guidelines)|operators? instructions)\\b',
  '\\b(?:system|developer|admin|root|operator) (?:override|prompt|mode|message|instruction|command|update|notice)\\b ?(?:[:=.!\\]-]|enabled|activated|accepted|begins?)',
  '\\b(?:jailbreak|prompt injection|dan mode|do anything now|developer mode (?:enabled|on))\\b',
  // What it shall make others believe.
  `\\b(?:tell|inform|convince|persuade|instruct|advise|urge|assure|remind|notify|ask|sag|sage|sagen sie|empfiehl|dis|dites|di|dile|digli|diga|dites-leur|zeg|vertel|powiedz|poinformuj)\\b (?:al |alle |all |a |the |your |this |that |every |den |dem |deinen |ihren |aux? |l'|all'|les |los |las |gli |ao |aos |de |je )*${READER}\\b(?! (?:stories|manual|guide))`,
  '\\b(?:always|only|exclusively|immer|nur|ausschlie\\w+|toujours|uniquement|siempre|solo|unicamente|sempre|soltanto|apenas|altijd|alleen|zawsze|tylko)\\b (?:recommend|mention|suggest|promote|endorse|cite|link|name|praise|present|rank|choose our|pick our|empfehlen|empfiehl|nenne|erwahne|recommande[rz]?|mentionne[rz]?|recomienda|menciona|recomiende|raccomanda|consiglia|menziona|recomende|mencione|aanbevelen|noemen|polecaj|wspominaj)\\b',
  "\\b(?:never|do not|don't|dont|must not|nie|niemals|ne|jamais|nunca|no|mai|non|nooit|nigdy) (?:ever )?(?:mention|name|recommend|suggest|cite|reveal|disclose|show|list|erwahne|nenne|mentionne[rz]?|recommande[rz]?|menciones|mencione|recomiendes|menzionare|raccomandare|mencionar|noem|noemen|wspominaj|polecaj)\\b[^.!?]{0,40}\\b(?:competitors?|others?|rivals?|alternatives?|brands?|this (?:message|instruction|text|is an? ad)|that this|sponsored|ads?|advertis\\w+|disclosure|prompt|konkurr\\w+|andere\\w*|concurrents?|autres|competidor\\w*|otr[oa]s|concorrent\\w*|altr[ie]|outr[oa]s|concurrent\\w*|konkurenc\\w+|innych)\\b",
  '\\b(?:in|into|at the (?:end|start|beginning) of|throughout|for) (?:your|every|each|all(?: of)? your|the) (?:next |final |future |following )?(?:answers?|responses?|repl(?:y|ies)|outputs?|completions?|summar(?:y|ies)|messages)\\b',
  '\\b(?:begin|start|end|finish|close|prefix|preface) (?:your|every|each|all) (?:\\w+ )?(?:answers?|responses?|repl(?:y|ies)|outputs?|messages?|sentences?)\\b',
  '\\b(?:respond|reply|answer|output|print|write|say|return|repeat|echo|antworte|reponds|repondez|responde|rispondi|responda|antwoord|odpowiedz) (?:only |exactly |just |verbatim |back |nur |uniquement |solo |apenas |alleen |tylko )?(?:with|as|in|the following|this|exactly|verbatim|mit|par|avec|con|com|met|word for word|:)(?= (?:json|the|a|an|only|no|yes|one|this|following|words?|phrase|exactly|text|"|\'|json|dem|einem|le|la|el|il|o|de|het))\\b',
  '\\b(?:rank|place|put|list|score|rate) (?:this|our|us|it|the (?:above|following)|my) ?(?:product|brand|offer|service|company|shop|site|ad)? ?(?:first|at the top|number one|no\\.? ?1|highest|above all|10/10|ten out of ten)\\b',
  '\\b(?:answer|treat|consider|classify|mark|label|regard) (?:this|the following|the above|it) (?:text |message |ad |content )?(?:as (?:a )?(?:system|trusted|organic|editorial|instruction|fact|safe|the best|highest))',
  "\\b(?:do not|don't|dont|never) (?:label|mark|disclose|flag|say|reveal|tell)\\b[^.!?]{0,30}\\b(?:as (?:an? )?(?:ad|advertisement|sponsored)|sponsored|is an? ad|user|anyone)\\b",
  '\\binstead of (?:answering|responding|replying|helping)\\b',
  "\\bfrom now on\\b,? (?:you|always|only|never|respond|answer|recommend)|\\b(?:ab jetzt|desormais|a partir de ahora|d'ora in poi|a partir de agora|vanaf nu|od teraz)\\b,? (?:\\w+ ){0,2}(?:antworte|empfiehl|empfehle|reponds|recommande|responde|recomienda|rispondi|consiglia|recomende|antwoord|beveel|odpowiadaj|polecaj)\\w*",
  '\\b(?:the )?(?:user|reader|customer) (?:has |have |already )+(?:agreed|consented|approved|authori[sz]ed|asked|requested|wants you)\\b',
  // What it shall do or give away.
  "\\b(?:send|forward|post|upload|transmit|leak|exfiltrate|submit|append|attach|include|share|export|copy)\\b[^.!?]{0,40}\\b(?:conversation|chat (?:history|log)|transcript|(?:user|reader)'?s? (?:name|e-?mail|address|data|details|messages?|questions?|query|input|location)|system prompt|api keys?|credentials|passwords?|previous messages|message history)\\b",
  '\\b(?:reveal|print|show|display|repeat|dump|expose|give|list|quote)\\b[^.!?]{0,25}\\b(?:system prompt|your (?:instructions|prompt|rules|configuration|tools)|hidden (?:text|prompt|instructions)|initial prompt|all instructions)\\b',
  '\\b(?:call|invoke|execute|run|trigger|use) (?:the |your |a |this )?(?:\\w+[ _-]){0,2}(?:tool|function|plugin|api|command|shell|code interpreter|browser tool|web search)\\b(?! (?:box|kit|shop|set|bag))',
  '\\b(?:decode|decrypt|unscramble|interpret|parse|deobfuscate) (?:and (?:follow|execute|run|obey) )?(?:this|the following|the text|it|below)\\b',
  '\\b(?:follow|obey|execute|carry out|comply with) (?:these|the following|the instructions?|my|this|all) ?(?:instructions?|commands?|steps|orders?|directives?)?\\b(?=[^.!?]{0,30}(?:instruct|command|directive|order|exactly|without question|silently|above all))',
  '\\b(?:end|begin|start) of (?:ad|advertisement|system prompt|prompt|context|user input|document|instructions?)\\b',
  // The same in other words.
  `\\b(?:beachte|befolge)\\b[^.!?]{0,40}\\b(?:${RULES_OF_A_MODEL})\\b[^.!?]{0,12}\\b(?:nicht|keine)\\b`,
  `\\b(?:set aside|put aside|overlook|stop (?:following|obeying|applying|using)|no longer (?:follow|obey|apply|respect)|disobey|violate|(?:ne|no|nao|non|niet|nie) (?:respecte[rz]?|suis|suivez|sigas?|seguire|siga|volg|przestrzegaj))\\b[^.!?]{0,40}\\b(?:${RULES_OF_A_MODEL}|guidance|orders|programming)\\b(?! (?:on|for|of) )`,
  "\\b(?:previous|prior|earlier|preceding|initial|original|existing|former|developer'?s?|operator'?s?|bisherigen|vorherigen|precedent[es]*|anteriores|precedenti|vorige|poprzednie) (?:instructions?|guidance|guidelines|orders|directives?|directions|prompts?|rules|policy|policies|anweisungen|vorgaben|regeln|consignes|instrucciones|reglas|istruzioni|regole|instrucoes|regras|instructies|instrukcje)\\b",
  '\\b(?:instructions?|rules|orders|guidance|guidelines|prompts?) (?:that )?you (?:got|were|have|had|received|follow|know)\\b|\\byour (?:instructions|directives|guidelines|programming|persona|operators?|developers?|system prompt)\\b',
  "\\b(?:do not|don't|never) obey\\b|\\b(?:obey|heed|comply with) (?:this|these|only|me|the|our|it)\\b",
  `\\b(?:role|persona|character|identity|voice|part) of (?:an? |the |our )?(?:\\w+ ){0,3}(?:${MODEL}|assistants?|agent)\\b|\\b(?:switch|change|go|enter|move) (?:in)?to (?:\\w+ )mode\\b`,
  '\\byou are (?:now )?(?:an? |our |the )(?:\\w+ ){1,3}(?:assistant|agent|bot|seller|salesman|promoter)\\b|\\b(?:tu es|du bist|eres|sei|voce e|je bent|jestes) (?:desormais|maintenant|ab jetzt|jetzt|ahora|ora|adesso|agora|nu|teraz|od teraz) ',
  `\\b(?:pitch|sell|push|promote|offer|advertise|upsell)\\b[^.!?]{0,40}\\bto (?:the |every |each |this )${READER}\\b`,
  `\\b(?:to|an|a|aan|dla|do) (?:any|all|every|alle|tous|toutes|todos|todas|tutti|tutte|wszystkich)\\b[^.!?]{0,12}\\b(?:${MODEL}|assistants?|ki-systeme|systeme|ia|iak)\\b`,
  '\\b(?:ai|a\\.i\\.|llms?|language models?|models|chatbots?|bots|assistants|ki|ia)\\b[^.!?]{0,45}\\b(?:must|should|shall|has to|have to|needs? to|is to|are to|ought to|muss|mussen|soll|sollen|doit|doivent|debe|deben|deve|devono|devem|moet|moeten|musi|musza)\\b(?! (?:not )?(?:know|learn|read|see|try|understand))',
  '\\b(?:ai|llms?|language models?|models?|chatbots?|bots?|assistants?)\\b[^.!?]{0,12}\\b(?:reads?|processes|summari[sz]es?|sees|parses|reading|processing|ingests?) (?:this|it)\\b',
  '\\bwhen(?:ever)? (?:you|asked|someone asks|anyone asks|the user asks|users ask)\\b[^.!?]{0,20}\\b(?:answer|respond|reply|mention|talk|recommend|about|summari[sz]e)\\b',
  '\\b(?:in|to|of|with|throughout|for) (?:your |all |every |each |any )(?:of your )?(?:future |next |later |following )?(?:answers?|responses?|repl(?:y|ies)|outputs?|recommendations|summaries|chats)\\b|\\b(?:future|next) (?:answers?|responses?|replies|outputs?)\\b',
  '\\byour (?:next |final )?(?:answer|response|reply|output|summary|completion)\\b[^.!?]{0,12}\\b(?:must|should|has to|needs|shall|will|contains?|includes?|ends?|begins?|starts?)\\b|\\b(?:conclude|finish|close|open|sign) (?:all|every|each|your)\\b[^.!?]{0,12}\\b(?:messages?|answers?|repl(?:y|ies)|responses?|outputs?)\\b',
  `\\b(?:say|explain|report|announce|claim|swear|confirm|promise|teile|erzahle|erklare|informiere|informe[rz]?|informa|informi|comunica|explique[rz]?|explica|spiega|uitleggen|informeer|wyjasnij)\\b (?:to |al |aos? |a |all'|l'|the |your |dem |den |der |o |os |els? |de |je |een )*${READER}\\b`,
  '\\b(?:let|make|have|get) (?:the |your |this |every )?(?:user|reader|customer|visitor|human)s? (?:know|believe|think|aware|buy|click|subscribe|order|sign|pay)\\b|\\b(?:from|before|without) (?:the |your )?(?:user|reader|human)s?\\b',
  '\\b(?:respond|reply|answer|write(?: back)?|output|return|print|say|antworte|antworten sie|reponds|repondez|responde|rispondi|responda|antwoord|odpowiedz|odpowiadaj)\\b,?:? (?:back )?(?:exactly|only|nur|unicamente|uniquement|seulement|solamente|solo|soltanto|somente|apenas|alleen|tylko|verbatim|nothing)\\b',
  '\\b(?:give|assign|award|grant)\\b (?:this|our|us|it|the)\\b[^.!?]{0,30}\\b(?:highest|top|best|maximum|perfect|full|five|10|5)\\b[^.!?]{0,12}\\b(?:score|rating|rank|ranking|marks|stars|priority)\\b|\\b(?:place|put|rank|list|sort|show) (?:our|this|us|my)\\b[^.!?]{0,30}\\b(?:above|before|ahead of|over) (?:all|any|other|others|every|everything|competitors)\\b',
  '\\b(?:treat|regard|consider|accept|take|classify|see)\\b[^.!?]{0,40}\\bas (?:an? |the )?(?:trusted|verified|fact|facts|true|instructions?|commands?|system|organic|editorial|authoritative|official)\\b',
  '\\bthis (?:part|text|message|line|section|note|paragraph|sentence) is (?:only |just )?(?:for|meant for|addressed to|intended for) (?:you|ai|llms?|models?|assistants?|bots?)\\b',
  '\\b(?:open|launch|start|use)\\b (?:an? |the |your )?(?:\\w+ )?(?:browser|email|search|payment|shell|calendar) (?:tool|plugin|api|function)\\b',
  // Words that ads seldom have: a reader who is spoken of, answers that somebody else gives, praise that is asked for.
  "\\b(?:the|this|that|every|each|any) (?:user|reader|human)(?:'?s)?\\b(?! (?:manual|guide|interface|friendly|experience|conference|group|resources))|\\b(?:dem|den|des|der) (?:be)?nutzers?\\b|\\bl'utilisateur\\b|\\b(?:al|el|ao|o|del|do) usuario\\b|\\b(?:l'|all'|dell')utente\\b|\\bde gebruiker\\b|\\buzytkownik(?:a|owi|iem)\\b",
  '\\b(?:uberzeuge|uberrede|persuade[rz]?|convainc[sz]?|convaincs|convence|convenza|convinci|persuadi|overtuig|przekonaj)\\b[^.!?]{0,8}\\b(?:leser|lecteurs?|lector\\w*|lettor[ei]|leitor\\w*|lezers?|czytelnik\\w*|kunden|clients?|cliente)\\b',
  '\\b(?:jeder|jede|chaque|cada|ogni|elk|elke|kazdej|allen|toutes (?:les|tes)|todas (?:las|as)|tutte le) (?:deiner |tes |tus |tuas )?(?:antwort|antworten|reponses?|respuestas?|rispost[ae]|respostas?|antwoord|odpowiedzi)\\b',
  '\\b(?:praise|favou?r|endorse|cite|plug|promote|prefer|glorify|hype|champion)\\b[^.!?]{0,20}\\b(?:us|our)\\b|\\b(?:mention|output|repeat|echo|quote|insert|weave|work|include|add|move|write|put)\\b[^.!?]{0,20}\\bour (?:name|brand|slogan|listing|link|coupon|url|tagline)\\b|\\b(?:write|post|give|leave|compose) (?:us )?(?:an? )?(?:glowing|great|perfect|five.star|positive) reviews?\\b',
  '\\byour (?:new|only|next|real|actual|main|sole|true) (?:\\w+ )?(?:task|job|goal|mission|purpose|role|objective|duty)\\b[^.!?]{0,12}\\b(?:is|to)\\b (?:now )?(?:to )?(?:sell|promote|advertise|push|praise|recommend|maximi[sz]e|convince|mention|serve)|\\b(?:neue|nouvelle|nueva|nuovo|nova|nieuwe|nowe) (?:aufgabe|mission|tache|tarea|compito|tarefa|missao|taak|zadanie)\\b[^.!?]{0,8}\\b(?:verkauf\\w*|wirb|bewirb|vendre|promouvoir|vender|promover|vendere|promuovere|verkopen|promoten|sprzeda\\w*)\\b',
  '\\b(?:changed|reset|clear|wipe|replace|rewrite|update) your (?:\\w+ )?(?:goals?|purpose|objectives?|context|memory|instructions|rules|task|prompt)\\b|\\benter (?:\\w+ )mode\\b|\\byou work for (?:us|\\w+) now\\b|\\bas if you were (?:our|an?|the) (?:\\w+ )?(?:employee|agent|seller|staff|representative|spokes\\w+)\\b',
  '\\b(?:every|all|any)\\b[^.!?]{0,16}\\b(?:instructions?|rules|orders|commands?)\\b[^.!?]{0,20}\\b(?:so far|before this|above|no longer|until now|void|cancel\\w+)\\b|\\buntil told otherwise\\b|\\b(?:above|before|after|below) this (?:line|sentence|text)\\b|\\bwhat (?:were|was) you told\\b|\\bwas dir gesagt\\b',
  '\\b(?:leave out|remove|omit|exclude|hide|delete|skip|forget) (?:all |any |the |every )?(?:competitors?|competing|rivals?|other (?:brands|shops|products|offers|companies))\\b|\\b(?:recommend|suggest|mention|name|offer) (?:nothing|nobody|no one|none) (?:but|except)\\b|\\bname only us\\b',
  '\\b(?:as|is|in) your own (?:opinion|recommendation|words?|view|advice|idea)\\b|\\brecommendation is your own\\b|\\bnot (?:for|meant for) (?:people|humans)\\b|\\byou,? the (?:assistant|ai|model|bot|chatbot)\\b|\\bmeant for (?:the )?(?:ai|model|assistant|bots?)\\b',
  '\\b(?:ai agents?|ai|bots?|models?|assistants?|llms?) ?: ?(?:buy|say|add|call|click|order|praise|recommend|rank|cite|link)\\b|\\bmodel that (?:quotes|reads|sees|cites)\\b|\\byour (?:answer|response|reply|summary|output) (?:mentions?|names?|cites?|praises?|calls?)\\b',
  '\\b(?:score|rate|rank) us (?:100|10|ten|five|5|first|highest|top)\\b|\\bto the top of your\\b|\\bwith your (?:\\w+ )?tools?\\b|\\btools (?:that )?you (?:can|have|may)\\b|\\bon behalf of the\\b|\\bclick the link for\\b|\\brun this (?:code|script|command)\\b|\\bread (?:this|it) backwards\\b|\\bfirst letters? of each\\b|\\b0x[0-9a-f]{2} 0x|\\b(?:email|upload|send|post) the (?:transcript|chat|conversation|log)\\b',
].map((source) => new RegExp(source, 'u'));

/** What is told apart by its signs, in the text as it was written. */
export const SIGNS: readonly RegExp[] = [
  /<\s*[/!?]?\s*[a-z][^<>]{0,200}>|<!--|-->|<\|/iu, // markup, and the markers of chat templates
  /\[\/?(?:inst|sys|system|user|assistant|tool|admin|end|context)\b[^\]]{0,40}\]|<<\/?sys>>/iu,
  /(?:^|[\n.!?;|*#"'([{>-])\s*(?:system|assistant|user|human|developer|tool|ai|model|function|instruction|bot)\s*(?:\([^)]{0,30}\)\s*)?[:=]+\s*\S/iu,
  /(?:^|\n|\s)#{2,}\s*\w|^\s*#\s+(?:system|instruction|task|role|prompt)/iu,
  /```|~~~|\$\{|\{\{|\{%|<%/u,
  /!?\[[^\]\n]{0,120}\]\s*\(/u, // links and pictures of Markdown
  /["']?(?:role|content|function_call|tool_calls?|system|prompt|instructions?|action)["']?\s*:\s*["'[{]/iu,
  /(?:javascript|data|vbscript|file)\s*:\s*\S/iu,
  /(?:%[0-9a-f]{2}){3}|(?:\\u[0-9a-f]{4}){2}|(?:\\x[0-9a-f]{2}){3}|(?:&#x?[0-9a-f]{2,6};?\s?){3}|(?:&(?:lt|gt|quot|amp);)/iu,
  /(?:\b[01]{8}\b\s*){3}|(?:\b[0-9a-f]{2}\b[\s:-]){6}|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{20,}\b/iu,
  /(?<![\w/.])(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])(?=[A-Za-z0-9+/_-]*(?:\d|[A-Z][a-z]*[A-Z][a-z]+[A-Z]))[A-Za-z0-9+/_-]{20,}={0,2}/u, // base64
  /\b(?:base64|rot13|rot-13|hex-?decode|morse code:|caesar)\b/iu,
];
