import type { AskingWords } from '../../shared/matching/index.ts';

/** By language; English has a grammar of its own. Of languages that are not here every message is taken for a wish. */
export const ASKING_WORDS: Readonly<Record<string, AskingWords>> = {
  de: {
    wish: 'mochte*|will|wollen|wurde gern*|hatte gern*|brauch*|benotig*|such*|find*|finde mir|vorschlag*|schlag*|zeig*|gib mir|gibt es|wo kann|wo konnen|wo bekomm*|welche*|gut*|leis*|schon*|tipp*|rat|angebot*|preis*|kostet|kosten|lust|hunger|hungrig|durst*|in der nahe|lernen|hilf*|helfen|konnen sie|konnten sie|kannst du|konntest du|kann ich|kann man|wie kann|wie konnen|wie lern*|wie werde|wie bekomm*|soll ich|sollte ich|vergleich*|buch*|reservier*|lohnt*|plane*|planen|ideen|rezept*|sag mir|nenn*|lauft|wann (?:spielt|fahrt|geht|offnet|lauft)',
    buy: 'kauf*|miet*|bestell*|empfehl*|empfiehl*|beste*|bester|gunstig*|billig*|preiswert*|wo gibt es|wo find*',
    fact: 'wer (?:war|ist|hat|schrieb|erfand|gewann)|wann (?:wurde|war|hat|ist|begann|starb)|wie (?:viele|alt|hoch|lange|weit|gross|heisst|hiess)|was (?:ist|war|bedeutet)|warum|wieso|weshalb|wessen|wofur|hauptstadt|erfunden|geschrieben|gegrundet|besieg*',
    chore:
      'wecker|timer|erinner*|stornier*|storno|absag*|verschieb*|zuruckgeb*|zuruckschick*|ruckgabe|ruf* an|anruf*|e-?mail*|nachricht*|kalender|schalt*|licht* (?:an|aus)|lautstarke|losch*|kundig*|reklamier*|ruckerstatt*|wetter*|uhrzeit|wie spat|datum|stopp*|pausier*|einkaufsliste|besprechung*|meine? (?:konto|rechnung|passwort)',
  },
  fr: {
    wish: "veux|voudrais|voudrait|voulons|aimerais|aimerait|cherch*|besoin|trouv*|montr*|donne*[ -]moi|peux-tu|pouvez*|pourriez*|pourrais*|puis-je|peut-on|comment (?:puis|peut|faire|apprendre|choisir)|ou (?:puis|peut|trouver|est-ce que)|quel*|bon*|meilleur*|prix|combien coute*|coute*|pres d*|proximite|faim|soif|envie|conseil*|idee*|apprendre|aide*|reserv*|s'il (?:te|vous) plait|recette*|comparer|planifi*|silencieu*|obtenir",
    buy: 'achet*|louer|command*|recommand*|conseill*|sugger*|meilleur*|pas cher*|bon marche|ou (?:acheter|trouver)',
    fact: "qui (?:a|est|etait|fut)|quand (?:a|est|etait|fut)|quelle? (?:est la capitale|annee)|combien (?:de|d)|pourquoi|qu'est[- ]ce qu*|invent*|ecrit par|fonde*",
    chore:
      'reveil|minuteur|rappel*|annul*|report*|rembours*|retourn*|renvoy*|appel* (?:ma|mon|mes)|e-?mail*|courriel*|message*|calendrier|agenda|allum*|etein*|volume|supprim*|resili*|meteo|quelle heure|arret*|liste de courses|reunion*|salle de conference|mon (?:compte|mot de passe)|ma (?:commande|facture)',
  },
  es: {
    wish: 'quier*|quisiera|gustaria|busc*|necesit*|encontr*|muestr*|dame|dime|puedes|puede*|podri*|puedo|como (?:puedo|se puede|aprend*|elegir)|donde (?:puedo|hay|encuentro|esta)|que .* (?:es mejor|me conviene)|cual*|bueno*|buena*|buen|mejor*|precio*|cuanto (?:cuesta|vale|cuestan)|cuesta*|cerca|hambre|sed|ganas|consejo*|ideas|aprender|ayud*|reserv*|por favor|receta*|compar*|planear|planificar|silencios*|obtener|algun*|hay',
    buy: 'compr*|alquil*|pedir|recomiend*|recomend*|sugier*|mejor*|barat*|economic*|donde (?:comprar|compro|puedo comprar|encuentro)',
    fact: 'quien(?:es)? (?:es|fue|era|escribio|invento|gano)|cuando (?:fue|nacio|murio|se)|cuant[oa]s|por que|que (?:es|significa|fue)|capital de|invent*|escribio|fundo',
    chore:
      'alarma*|temporizador*|recuerd*|recordatorio*|cancel*|devolver|devolucion*|reembols*|llama a|llamar a|correo*|e-?mail*|mensaje*|calendario|encend*|enciend*|apag*|volumen|borr*|elimin*|tiempo hace|que hora|lista de (?:la )?compra*|reunion*|mi (?:cuenta|pedido|factura|contrasena)',
  },
  pt: {
    wish: 'quer*|gostaria|procur*|precis*|encontr*|mostr*|me (?:de|mostre|ajud*)|pode*|posso|como (?:posso|faco|aprend*|escolher)|onde (?:posso|tem|ha|encontro|fica)|qual|quais|bom|boa|bons|boas|melhor*|preco*|quanto custa*|custa*|perto|fome|sede|vontade|dica*|ideias|aprender|ajud*|reserv*|por favor|receita*|compar*|planejar|silencios*|algum*|existe*',
    buy: 'compr*|alug*|pedir|recomend*|indica*|suger*|melhor*|barat*|onde (?:comprar|compro|posso comprar|encontro)',
    fact: 'quem (?:e|foi|era|escreveu|inventou|ganhou)|quando (?:foi|nasceu|morreu)|quant[oa]s|por que|o que (?:e|significa|foi)|capital d*|invent*|escreveu',
    chore:
      'alarme*|despertador|temporizador|cronometro|lembr*|cancel*|devolver|devolucao|reembols*|lig(?:a|ue|ar) para|e-?mail*|mensage*|calendario|acend*|apag*|deslig*|ligar a luz|volume|exclu*|previsao do tempo|que horas|lista de compras|reuniao|reunioes|minha (?:conta|fatura|senha)|meu pedido',
  },
  it: {
    wish: 'vorrei|voglio|vogliamo|cerc*|bisogno|trov*|mostra*|dammi|dimmi|puoi|puo|potrest*|potrei|posso|come (?:posso|si puo|imparo|scelgo)|dove (?:posso|trovo|si trova|ce)|qual*|buon*|miglior*|prezz*|quanto cost*|costa|costano|vicin*|fame|sete|voglia|consigli*|idee|imparare|aiut*|prenot*|per favore|ricett*|confront*|pianific*|silenzios*|qualche',
    buy: 'compr*|noleggi*|affitt*|ordin*|consigli*|raccomand*|suggeri*|miglior*|economic*|dove (?:comprare|compro|posso comprare|trovo)',
    fact: "chi (?:e|era|ha|fu|scrisse|invento)|quando (?:e|fu|nacque|mori)|quant[ie]|perche|(?:che )?cosa (?:e|significa)|cos'e|capitale d*|invent*|scritto da",
    chore:
      'sveglia|timer|ricorda*|promemoria|annull*|disdi*|restitu*|rimbors*|chiama|e-?mail*|messagg*|calendario|accend*|spegn*|volume|cancell*|elimin*|che tempo|che ore|lista della spesa|riunion*|mio (?:conto|ordine|account)|mia (?:fattura|password)',
  },
  nl: {
    wish: 'wil|willen|zou graag|graag|zoek*|nodig|vind*|toon|laat * zien|geef me|kun|kunt|kan ik|kunnen we|mag ik|hoe (?:kan|leer|kies|kom)|waar (?:kan|vind|is er)|welk*|goed*|beste*|prijs|prijzen|hoeveel kost*|kost|kosten|in de buurt|dichtbij|honger|dorst|zin in|tips|advies|ideeen|leren|help*|reserveer*|reserveren|boek*|alsjeblieft|alstublieft|recept*|vergelijk*|stil*|zijn er|is er',
    buy: 'koop|kopen|huur|huren|bestel*|aanrad*|raad * aan|aanbevel*|beste*|goedkoop*|goedkope*|waar (?:koop|vind)',
    fact: 'wie (?:is|was|heeft|schreef|won)|wanneer (?:is|was|werd)|hoeveel (?:mensen|inwoners|dagen|jaar)|hoe (?:oud|hoog|lang|ver)|waarom|wat (?:is|betekent|was)|hoofdstad|uitgevonden',
    chore:
      'wekker|timer|herinner*|annule*|verzet*|terugsturen|retour*|terugbetal*|bel|bellen|e-?mail*|bericht*|agenda|zet * (?:aan|uit)|volume|verwijder*|opzeg*|weer|hoe laat|boodschappenlijst*|vergadering*|mijn (?:rekening|bestelling|wachtwoord)',
  },
  sv: {
    wish: 'vill|skulle vilja|behov*|sok*|letar|leta|hitta*|visa|ge mig|kan (?:du|jag|man|ni)|hur (?:kan|lar|valjer)|var (?:kan|finns|hittar)|vilk*|bra|bast*|pris*|vad kostar|kostar|nara|hungrig*|torstig*|sugen|tips|rad|ideer|lara|hjalp*|boka*|reserver*|recept*|jamfor*|tyst*|finns det',
    buy: 'kop*|hyr*|bestall*|rekommend*|foresla*|bast*|billig*',
    fact: 'vem (?:ar|var|har|skrev|vann|uppfann)|nar (?:var|blev|dog)|hur (?:manga|gammal|hog|langt)|varfor|vad (?:ar|betyder|var)|huvudstad*|uppfann*',
    chore:
      'alarm|vackarklock*|timer|pamin*|avbok*|avbest*|returner*|aterbetal*|ring|e-?post|mejl*|meddelande*|kalender*|tand|slack|volym*|radera|sag* upp|vad ar klockan|vader*|inkopslista*|mote*|mitt (?:konto|losenord)|min (?:faktura|bestallning)',
  },
  da: {
    wish: 'vil|ville gerne|gerne|mangler|har brug|sog*|leder|find*|vis mig|giv mig|kan (?:du|jag|jeg|man|i)|hvordan (?:kan|laerer|vaelger)|hvor (?:kan|er der|finder)|hvilk*|god*|bedst*|pris*|hvad koster|koster|naer*|sulten|torstig|tips|rad|ideer|laere|hjaelp*|book*|reserver*|opskrift*|sammenlign*|findes der|er der',
    buy: 'kob*|køb*|lej*|bestil*|anbefal*|foresla*|bedst*|billig*',
    fact: 'hvem (?:er|var|har|skrev|vandt|opfandt)|hvornar (?:er|var|blev)|hvor (?:mange|gammel|langt)|hvorfor|hvad (?:er|betyder|var)|hovedstad*|opfundet',
    chore:
      'alarm|vaekkeur|timer|mind mig|pamind*|aflys*|afbestil*|returner*|refunder*|ring|e-?mail*|besked*|kalender*|taend|sluk|lydstyrke|slet|opsig*|hvad er klokken|vejr*|indkobsliste*|mode*|min (?:konto|ordre|regning)',
  },
  no: {
    wish: 'vil|ville gjerne|gjerne|trenger|behov|leter|lete|sok*|søk*|finn*|vis meg|gi meg|kan (?:du|jeg|man|dere)|hvordan (?:kan|laerer|velger)|hvor (?:kan|er det|finner)|hvilk*|god*|gode|best*|pris*|hva koster|koster|naer*|sulten|tips|rad|ideer|laere|hjelp*|bestill*|reserver*|oppskrift*|sammenlign*|finnes det|er det noe*',
    buy: 'kjop*|kjøp*|lei*|bestill*|anbefal*|foresla*|best*|billig*',
    fact: 'hvem (?:er|var|har|skrev|vant)|nar (?:ble|var)|hvor (?:mange|gammel|langt)|hvorfor|hva (?:er|betyr|var)|hovedstad*|oppfant|oppfunnet',
    chore:
      'alarm|vekkerklokke*|timer|minn meg|paminn*|avlys*|avbestill*|returner*|refunder*|ring|e-?post|melding*|kalender*|slå på|slå av|sla pa|sla av|volum*|slett|si opp|hva er klokken|vaeret|handleliste*|mote*|møte*|min (?:konto|ordre|regning)',
  },
  pl: {
    wish: 'chc*|chcial*|chciał*|szuka*|potrzeb*|znajd*|znalezc|znaleźć|pokaz*|daj mi|czy (?:mozesz|moge|sa|jest|warto)|moge|mozna|jak (?:moge|nauczyc|wybrac)|gdzie (?:moge|mozna|jest|sa|znajde)|jak[aiy]*|ktor*|dobr*|lepsz*|cena|ceny|ile kosztuj*|kosztuj*|blisko|pobliz*|głodn*|glodn*|ochot*|porad*|pomysł*|nauczyc|pomoz*|pomoc|zarezerw*|rezerw*|prosze|przepis*|porown*|cich*',
    buy: 'kup*|wynaj*|zamow*|zamów*|polec*|doradz*|najleps*|tani*|najtan*',
    fact: 'kto (?:jest|był|byl|napisał|wygral|wynalazl)|kiedy (?:był|jest|zmarł)|ile (?:osob|lat|dni|ma)|dlaczego|co (?:to jest|oznacza|znaczy)|stolica|wynala*',
    chore:
      'budzik*|minutnik*|przypomn*|anulow*|anuluj*|odwoł*|odwol*|zwroc*|zwrot*|zadzwon*|e-?mail*|wiadomos*|kalendarz*|włącz*|wlacz*|wyłącz*|wylacz*|głosnosc|usun*|wypowie*|pogod*|ktora godzina|lista zakupow|spotkani*|moje (?:konto|hasło)',
  },
  cs: {
    wish: 'chci|chtel*|chteji|hled*|potreb*|najd*|najit|ukaz*|dej mi|muzes|muzete|mohu|muzu|jak (?:mohu|se nauc*|vybrat)|kde (?:mohu|je|jsou|najdu)|jak[aey]*|kter*|dobr*|lepsi|cena|ceny|kolik stoji|stoji|blizko|pobliz*|hlad|zizen|chut|rad*|tipy|napad*|naucit|pomo*|rezerv*|prosim|recept*|porovn*|tich*',
    buy: 'koup*|kupovat|pronaj*|objedn*|doporuc*|porad*|nejleps*|levn*|nejlevn*',
    fact: 'kdo (?:je|byl|napsal|vyhral|vynalezl)|kdy (?:byl|je|zemrel)|kolik (?:lidi|let|dni)|proc|co (?:je|znamena)|hlavni mesto|vynalez*',
    chore:
      'budik*|casovac*|pripom*|zrus*|vrat*|vracen*|zavol*|e-?mail*|zprav*|kalendar*|zapn*|vypn*|hlasitost|smaz*|vypoved*|pocasi|kolik je hodin|nakupni seznam|schuzk*|muj (?:ucet|ucet)|moje (?:heslo|objednavka)',
  },
  tr: {
    wish: 'istiyor*|isterim|ister*|arıyor*|ariyor*|lazım|lazim|gerek*|ihtiyac*|bul*|goster*|ver|verir misin|misin|misiniz|mısın|mısınız|nasıl .*(?:ogren*|sec*|bulur*|yapabilir*|alabilir*)|nerede*|nereden|hangi*|iyi|guzel|fiyat*|kac para|ne kadar|kac lira|yakın*|yakin*|acım|actım|acıktım|susad*|oneri*|tavsiye*|fikir*|ogrenmek|yardım*|yardim*|rezerv*|lutfen|tarif*|karsılastır*|sessiz*|var mı|var mi',
    buy: 'satın al*|satin al*|almak|alay*|alabilir*|kirala*|siparis*|oner*|tavsiye*|en iyi*|ucuz*|nereden',
    fact: 'kim(?:dir)? (?:icat|yazdı|kazandı|buldu)|ne zaman|kac (?:kisi|yas|gun|yıl)|neden|nicin|nedir|ne demek|baskent*|icat',
    chore:
      'alarm*|zamanlayıcı*|hatırlat*|hatirlat*|iptal*|iade*|ara(?:r mısın)?|e-?posta*|e-?mail*|mesaj*|takvim*|ısıkları|ac(?:ar mısın)?|kapat*|ses seviyesi|sil|hava (?:durumu|nasıl)|saat kac|alısveris listesi|toplantı*|hesabım*|siparisim*|sifrem*',
  },
  ru: {
    wish: 'хочу|хотел*|хотим|ищу|ищем|нуж*|найди*|наити|найти|покажи*|дай*|можете|можешь|можно|могу|мог* бы|как (?:можно|научиться|выбрать|мне)|где (?:можно|наити|найти|есть|находится)|как(?:ая|ои|ой|ое|ие|ую|их)|котор*|хорош*|лучш*|цена|цены|сколько (?:стоит|стоят)|стоит|рядом|близко|поблизости|голоден|голодна|есть ли|совет*|идеи|научиться|помоги*|заброниров*|брониров*|пожалуиста|пожалуйста|рецепт*|сравн*|тих*',
    buy: 'куп*|снять|аренд*|заказ*|порекомендуи*|порекомендуй*|посоветуи*|посоветуй*|рекоменд*|лучш*|дешев*|недорог*',
    fact: 'кто (?:такои|такой|написал|изобрел|выиграл|был*)|когда (?:был*|родился|умер)|сколько (?:людеи|лет|дней|днеи)|почему|зачем|что (?:такое|значит|означает)|столица|изобрел*',
    chore:
      'будильник*|таймер*|напомн*|отмен*|верн*|возврат*|позвон*|почт*|письм*|сообщен*|календар*|включ*|выключ*|громкость|удал*|погод*|который час|которыи час|список покупок|встреч*|мо(?:и|й|его|ему) (?:аккаунт*|заказ*|счет*|парол*)',
  },
  uk: {
    wish: 'хочу|хотів*|хотіл*|шукаю|потріб*|знаиди*|знайди*|знаити|знайти|покажи*|даи|дай|можете|можеш|можна|можу|як (?:можна|навчитися|вибрати)|де (?:можна|знаити|знайти|є)|як(?:ии|ий|а|е|і|у)|котр*|добр*|гарн*|кращ*|ціна|ціни|скільки (?:коштує|коштують)|коштує|поруч|поблизу|голодн*|порад*|ідеі|навчитися|допомож*|заброню*|будь ласка|рецепт*|порівн*|тих*',
    buy: 'куп*|оренд*|замов*|порад*|рекоменд*|наикращ*|найкращ*|дешев*|недорог*',
    fact: 'хто (?:такии|такий|написав|винаишов|був)|коли (?:був|народився|помер)|скільки (?:людеи|років|днів)|чому|навіщо|що (?:таке|означає)|столиця|винаход*',
    chore:
      'будильник*|таимер*|таймер*|нагада*|скасу*|поверн*|подзвон*|пошт*|лист*|повідомлен*|календар*|увімк*|вимк*|гучність|видал*|погод*|котра година|список покупок|зустріч*',
  },
  ja: {
    wish: 'たい|ほしい|欲しい|探して|探す|さがして|必要|おすすめ|お勧め|オススメ|ください|下さい|教えて|ありますか|できますか|どこで|どこに|どの|どれ|いい|良い|いくら|値段|料金|近く|お腹|空いた|すいた|予約|比較|習い|学び|方法|どうすれば|安い|人気|見せて|見つけて|レシピ',
    buy: '買い|買う|買える|購入|注文|借り|おすすめ|お勧め|オススメ|安い|一番いい|どこで',
    fact: '何と言う|なんという|何という|何と言い|なんと言|と呼ばれ|とは何|(?:の|ところ|とき|場所)は[?？]|には[?？]|ことは[?？]|ものは[?？]|行為は|いつですか|誰|だれ|なぜ|どうして|何年|首都|発明|意味',
    chore:
      'アラーム|目覚まし|タイマー|リマインド|リマインダー|キャンセル|取り消|返品|返金|電話をかけ|メール|メッセージ|カレンダー|つけて|消して|音量|削除|解約|天気|何時|買い物リスト|会議',
  },
  zh: {
    wish: '想|要|需要|找|寻找|推荐|推薦|请|請|哪里|哪裡|哪儿|哪个|哪些|怎么|怎麼|如何|好的|最好|多少钱|多少錢|价格|價格|附近|饿|餓|渴|建议|建議|学习|學習|帮|幫|预订|預訂|预约|預約|比较|比較|安静|便宜|有没有|有沒有|可以',
    buy: '买|買|购买|購買|租|订购|訂購|推荐|推薦|最好|便宜|哪里买|哪裡買',
    fact: '谁|誰|什么时候|什麼時候|几年|为什么|為什麼|是什么意思|是什麼意思|首都|发明|發明|多少人',
    chore:
      '闹钟|鬧鐘|计时|計時|提醒|取消|退货|退貨|退款|打电话|打電話|邮件|郵件|短信|日历|日曆|打开灯|开灯|关灯|關燈|音量|删除|刪除|天气|天氣|几点|幾點|购物清单|會議|会议',
  },
  ko: {
    wish: '싶|원해|원합|필요|찾|추천|주세요|줘|알려|있나요|있어요|있을까|어디|어떤|어느|좋은|얼마|가격|근처|배고|목말|조언|배우|도와|예약|비교|싼|저렴|조용|방법|어떻게',
    buy: '사고|살까|구매|구입|빌리|렌트|주문|추천|제일|가장 좋|저렴|싼|어디서',
    fact: '누가|누구|언제|몇 년|왜|무슨 뜻|수도|발명|뭐라고',
    chore:
      '알람|타이머|알림|상기|취소|반품|환불|전화|이메일|메일|메시지|캘린더|일정|켜|꺼|볼륨|삭제|해지|날씨|몇 시|쇼핑 목록|회의',
  },
};
