import type { IntentWords } from '../../shared/matching/index.ts';

/** Phrases that express intent, by language. English has lists of its own. In other languages, intent is unknown. */
export const ASKING_WORDS: Readonly<Record<string, IntentWords>> = {
  de: {
    wish: 'mochte*|will|wollen|wurde gern*|hatte gern*|brauch*|benotig*|such*|find*|finde mir|vorschlag*|schlag*|zeig*|gib mir|gibt es|wo kann|wo konnen|wo bekomm*|welche*|gut*|leis*|schon*|tipp*|rat|angebot*|preis*|kostet|kosten|lust|hunger|hungrig|durst*|in der nahe|lernen|hilf*|helfen|konnen sie|konnten sie|kannst du|konntest du|kann ich|kann man|wie kann|wie konnen|wie lern*|wie werde|wie bekomm*|soll ich|sollte ich|vergleich*|buch*|reservier*|lohnt*|plane*|planen|ideen|rezept*|sag mir|nenn*|lauft|wann (?:spielt|fahrt|geht|offnet|lauft)',
    buy: 'kauf*|miet*|bestell*|empfehl*|empfiehl*|beste*|bester|gunstig*|billig*|preiswert*|wo gibt es|wo find*',
    fact: 'wer (?:war|ist|hat|schrieb|erfand|gewann)|wann (?:wurde|war|hat|ist|begann|starb)|wie (?:viele|alt|hoch|lange|weit|gross|heisst|hiess)|was (?:ist|war|bedeutet)|warum|wieso|weshalb|wessen|wofur|hauptstadt|erfunden|geschrieben|gegrundet|besieg*',
    chore:
      'wecker|timer|erinner*|stornier*|storno|absag*|verschieb*|zuruckgeb*|zuruckschick*|ruckgabe|ruf* an|anruf*|e-?mail*|nachricht*|kalender|schalt*|licht* (?:an|aus)|lautstarke|losch*|kundig*|reklamier*|ruckerstatt*|wetter*|uhrzeit|wie spat|datum|stopp*|pausier*|einkaufsliste|besprechung*|meine? (?:konto|rechnung|passwort)|(?:meine|die|der|unsere) bestellung (?:ist|kam|wurde|nicht|fehlt)|wo (?:bleib*|ist|sind) (?:mein*|die|das) (?:bestell*|paket*|lieferung)|meine[rn]? (?:bestellung|lieferung|sendung|paket)|mein paket|sendungsverfolgung|geld zuruck|(?:kam*|ist|sind|wurde*|waren) (?:[^ ]+ )?(?:kaputt|beschadigt|defekt)|kaputt (?:an|angekommen|geliefert)|nicht (?:angekommen|geliefert|eingetroffen)|bestellt* .*nicht (?:da|gekommen)',
  },
  fr: {
    wish: "veux|voudrais|voudrait|voulons|aimerais|aimerait|cherch*|besoin|trouv*|montr*|donne*[ -]moi|peux-tu|pouvez*|pourriez*|pourrais*|puis-je|peut-on|comment (?:puis|peut|faire|apprendre|choisir)|ou (?:puis|peut|trouver|est-ce que)|quel*|bon*|meilleur*|prix|combien coute*|coute*|pres d*|proximite|faim|soif|envie|conseil*|idee*|apprendre|aide*|reserv*|s'il (?:te|vous) plait|recette*|comparer|planifi*|silencieu*|obtenir",
    buy: 'achet*|louer|command*|recommand*|conseill*|sugger*|meilleur*|pas cher*|bon marche|ou (?:acheter|trouver)',
    fact: "qui (?:a|est|etait|fut)|quand (?:a|est|etait|fut)|quelle? (?:est la capitale|annee)|combien (?:de|d)|pourquoi|qu'est[- ]ce qu*|invent*|ecrit par|fonde*",
    chore:
      'reveil|minuteur|rappel*|annul*|report*|rembours*|retourn*|renvoy*|appel* (?:ma|mon|mes)|e-?mail*|courriel*|message*|calendrier|agenda|allum*|etein*|volume|supprim*|resili*|meteo|quelle heure|arret*|liste de courses|reunion*|salle de conference|mon (?:compte|mot de passe)|ma (?:commande|facture)|mon colis|ma livraison|(?:arrive*|recu*) (?:[^ ]+ )?(?:casse*|abime*|endommage*|defectueu*)|pas (?:encore )?(?:arrive*|recu*|livre*)|numero de suivi',
  },
  es: {
    wish: 'quier*|quisiera|gustaria|busc*|necesit*|encontr*|muestr*|dame|dime|puedes|puede*|podri*|puedo|como (?:puedo|se puede|aprend*|elegir)|donde (?:puedo|hay|encuentro|esta)|que .{0,40} (?:es mejor|me conviene)|cual*|bueno*|buena*|buen|mejor*|precio*|cuanto (?:cuesta|vale|cuestan)|cuesta*|cerca|hambre|sed|ganas|consejo*|ideas|aprender|ayud*|reserv*|por favor|receta*|compar*|planear|planificar|silencios*|obtener|algun*|hay',
    buy: 'compr*|alquil*|pedir|recomiend*|recomend*|sugier*|mejor*|barat*|economic*|donde (?:comprar|compro|puedo comprar|encuentro)',
    fact: 'quien(?:es)? (?:es|fue|era|escribio|invento|gano)|cuando (?:fue|nacio|murio|se)|cuant[oa]s|por que|que (?:es|significa|fue)|capital de|invent*|escribio|fundo',
    chore:
      'alarma*|temporizador*|recuerd*|recordatorio*|cancel*|devolver|devolucion*|reembols*|llama a|llamar a|correo*|e-?mail*|mensaje*|calendario|encend*|enciend*|apag*|volumen|borr*|elimin*|tiempo hace|que hora|lista de (?:la )?compra*|reunion*|mi (?:cuenta|pedido|factura|contrasena)|mi (?:paquete|envio)|(?:llego|llegaron|llegado|vino) (?:[^ ]+ )?(?:rot*|danad*|defectuos*)|no (?:ha|han|me) (?:llegado|llego)|no llego|devuelvan|numero de seguimiento',
  },
  pt: {
    wish: 'quer*|gostaria|procur*|precis*|encontr*|mostr*|me (?:de|mostre|ajud*)|pode*|posso|como (?:posso|faco|aprend*|escolher)|onde (?:posso|tem|ha|encontro|fica)|qual|quais|bom|boa|bons|boas|melhor*|preco*|quanto custa*|custa*|perto|fome|sede|vontade|dica*|ideias|aprender|ajud*|reserv*|por favor|receita*|compar*|planejar|silencios*|algum*|existe*',
    buy: 'compr*|alug*|pedir|recomend*|indica*|suger*|melhor*|barat*|onde (?:comprar|compro|posso comprar|encontro)',
    fact: 'quem (?:e|foi|era|escreveu|inventou|ganhou)|quando (?:foi|nasceu|morreu)|quant[oa]s|por que|o que (?:e|significa|foi)|capital d*|invent*|escreveu',
    chore:
      'alarme*|despertador|temporizador|cronometro|lembr*|cancel*|devolver|devolucao|reembols*|lig(?:a|ue|ar) para|e-?mail*|mensage*|calendario|acend*|apag*|deslig*|ligar a luz|volume|exclu*|previsao do tempo|que horas|lista de compras|reuniao|reunioes|minha (?:conta|fatura|senha)|meu pedido|meu (?:pacote|envio)|minha (?:encomenda|entrega)|(?:chegou|chegaram|veio) (?:[^ ]+ )?(?:quebrad*|danificad*|com defeito)|nao (?:chegou|chegaram|recebi)|dinheiro de volta|rastreamento',
  },
  it: {
    wish: 'vorrei|voglio|vogliamo|cerc*|bisogno|trov*|mostra*|dammi|dimmi|puoi|puo|potrest*|potrei|posso|come (?:posso|si puo|imparo|scelgo)|dove (?:posso|trovo|si trova|ce)|qual*|buon*|miglior*|prezz*|quanto cost*|costa|costano|vicin*|fame|sete|voglia|consigli*|idee|imparare|aiut*|prenot*|per favore|ricett*|confront*|pianific*|silenzios*|qualche',
    buy: 'compr*|noleggi*|affitt*|ordin*|consigli*|raccomand*|suggeri*|miglior*|economic*|dove (?:comprare|compro|posso comprare|trovo)',
    fact: "chi (?:e|era|ha|fu|scrisse|invento)|quando (?:e|fu|nacque|mori)|quant[ie]|perche|(?:che )?cosa (?:e|significa)|cos'e|capitale d*|invent*|scritto da",
    chore:
      'sveglia|timer|ricorda*|promemoria|annull*|disdi*|restitu*|rimbors*|chiama|e-?mail*|messagg*|calendario|accend*|spegn*|volume|cancell*|elimin*|che tempo|che ore|lista della spesa|riunion*|mio (?:conto|ordine|account)|mia (?:fattura|password)|mio pacco|mia spedizione|(?:arrivat*|ricevut*) (?:[^ ]+ )?(?:rott*|danneggiat*|difettos*)|non e (?:ancora )?arrivat*|non sono (?:ancora )?arrivat*|rivoglio|indietro i soldi|soldi indietro',
  },
  nl: {
    wish: 'wil|willen|zou graag|graag|zoek*|nodig|vind*|toon|laat * zien|geef me|kun|kunt|kan ik|kunnen we|mag ik|hoe (?:kan|leer|kies|kom)|waar (?:kan|vind|is er)|welk*|goed*|beste*|prijs|prijzen|hoeveel kost*|kost|kosten|in de buurt|dichtbij|honger|dorst|zin in|tips|advies|ideeen|leren|help*|reserveer*|reserveren|boek*|alsjeblieft|alstublieft|recept*|vergelijk*|stil*|zijn er|is er',
    buy: 'koop|kopen|huur|huren|bestel*|aanrad*|raad * aan|aanbevel*|beste*|goedkoop*|goedkope*|waar (?:koop|vind)',
    fact: 'wie (?:is|was|heeft|schreef|won)|wanneer (?:is|was|werd)|hoeveel (?:mensen|inwoners|dagen|jaar)|hoe (?:oud|hoog|lang|ver)|waarom|wat (?:is|betekent|was)|hoofdstad|uitgevonden',
    chore:
      'wekker|timer|herinner*|annule*|verzet*|terugsturen|retour*|terugbetal*|bel|bellen|e-?mail*|bericht*|agenda|zet * (?:aan|uit)|volume|verwijder*|opzeg*|weer|hoe laat|boodschappenlijst*|vergadering*|mijn (?:rekening|bestelling|wachtwoord)|mijn (?:pakket*|levering)|(?:kwam|is|zijn) (?:[^ ]+ )?(?:kapot|beschadigd|defect)|niet (?:aangekomen|geleverd|ontvangen)|geld terug|waar blijft',
  },
  sv: {
    wish: 'vill|skulle vilja|behov*|sok*|letar|leta|hitta*|visa|ge mig|kan (?:du|jag|man|ni)|hur (?:kan|lar|valjer)|var (?:kan|finns|hittar)|vilk*|bra|bast*|pris*|vad kostar|kostar|nara|hungrig*|torstig*|sugen|tips|rad|ideer|lara|hjalp*|boka*|reserver*|recept*|jamfor*|tyst*|finns det',
    buy: 'kop*|hyr*|bestall*|rekommend*|foresla*|bast*|billig*',
    fact: 'vem (?:ar|var|har|skrev|vann|uppfann)|nar (?:var|blev|dog)|hur (?:manga|gammal|hog|langt)|varfor|vad (?:ar|betyder|var)|huvudstad*|uppfann*',
    chore:
      'alarm|vackarklock*|timer|pamin*|avbok*|avbest*|returner*|aterbetal*|ring|e-?post|mejl*|meddelande*|kalender*|tand|slack|volym*|radera|sag* upp|vad ar klockan|vader*|inkopslista*|mote*|mitt (?:konto|losenord)|min (?:faktura|bestallning)|mitt paket|min (?:leverans|order)|(?:kom|ar|var) (?:[^ ]+ )?(?:trasig*|skadad*|defekt*)|inte (?:kommit|anlant|fatt)|pengarna tillbaka',
  },
  da: {
    wish: 'vil|ville gerne|gerne|mangler|har brug|sog*|leder|find*|vis mig|giv mig|kan (?:du|jag|jeg|man|i)|hvordan (?:kan|laerer|vaelger)|hvor (?:kan|er der|finder)|hvilk*|god*|bedst*|pris*|hvad koster|koster|naer*|sulten|torstig|tips|rad|ideer|laere|hjaelp*|book*|reserver*|opskrift*|sammenlign*|findes der|er der',
    buy: 'kob*|køb*|lej*|bestil*|anbefal*|foresla*|bedst*|billig*',
    fact: 'hvem (?:er|var|har|skrev|vandt|opfandt)|hvornar (?:er|var|blev)|hvor (?:mange|gammel|langt)|hvorfor|hvad (?:er|betyder|var)|hovedstad*|opfundet',
    chore:
      'alarm|vaekkeur|timer|mind mig|pamind*|aflys*|afbestil*|returner*|refunder*|ring|e-?mail*|besked*|kalender*|taend|sluk|lydstyrke|slet|opsig*|hvad er klokken|vejr*|indkobsliste*|mode*|min (?:konto|ordre|regning)|min (?:pakke|bestilling|levering)|(?:kom|er|var) (?:[^ ]+ )?(?:odelagt|beskadiget|defekt*)|ikke (?:kommet|ankommet|modtaget)|pengene tilbage',
  },
  no: {
    wish: 'vil|ville gjerne|gjerne|trenger|behov|leter|lete|sok*|søk*|finn*|vis meg|gi meg|kan (?:du|jeg|man|dere)|hvordan (?:kan|laerer|velger)|hvor (?:kan|er det|finner)|hvilk*|god*|gode|best*|pris*|hva koster|koster|naer*|sulten|tips|rad|ideer|laere|hjelp*|bestill*|reserver*|oppskrift*|sammenlign*|finnes det|er det noe*',
    buy: 'kjop*|kjøp*|lei*|bestill*|anbefal*|foresla*|best*|billig*',
    fact: 'hvem (?:er|var|har|skrev|vant)|nar (?:ble|var)|hvor (?:mange|gammel|langt)|hvorfor|hva (?:er|betyr|var)|hovedstad*|oppfant|oppfunnet',
    chore:
      'alarm|vekkerklokke*|timer|minn meg|paminn*|avlys*|avbestill*|returner*|refunder*|ring|e-?post|melding*|kalender*|slå på|slå av|sla pa|sla av|volum*|slett|si opp|hva er klokken|vaeret|handleliste*|mote*|møte*|min (?:konto|ordre|regning)|min (?:pakke|bestilling|levering)|(?:bestillingen|pakken|ordren) min|(?:kom|er|var) (?:[^ ]+ )?(?:odelagt|skadet|defekt*)|ikke (?:kommet|ankommet|mottatt)|pengene tilbake',
  },
  pl: {
    wish: 'chc*|chcial*|chciał*|szuka*|potrzeb*|znajd*|znalezc|znaleźć|pokaz*|daj mi|czy (?:mozesz|moge|sa|jest|warto)|moge|mozna|jak (?:moge|nauczyc|wybrac)|gdzie (?:moge|mozna|jest|sa|znajde)|jak[aiy]*|ktor*|dobr*|lepsz*|cena|ceny|ile kosztuj*|kosztuj*|blisko|pobliz*|głodn*|glodn*|ochot*|porad*|pomysł*|nauczyc|pomoz*|pomoc|zarezerw*|rezerw*|prosze|przepis*|porown*|cich*',
    buy: 'kup*|wynaj*|zamow*|zamów*|polec*|doradz*|najleps*|tani*|najtan*',
    fact: 'kto (?:jest|był|byl|napisał|wygral|wynalazl)|kiedy (?:był|jest|zmarł)|ile (?:osob|lat|dni|ma)|dlaczego|co (?:to jest|oznacza|znaczy)|stolica|wynala*',
    chore:
      'budzik*|minutnik*|przypomn*|anulow*|anuluj*|odwoł*|odwol*|zwroc*|zwrot*|zadzwon*|e-?mail*|wiadomos*|kalendarz*|włącz*|wlacz*|wyłącz*|wylacz*|głosnosc|usun*|wypowie*|pogod*|ktora godzina|lista zakupow|spotkani*|moje (?:konto|hasło)|moj* (?:zamowieni*|zamówieni*|paczk*|przesyłk*)|(?:przyszed*|przyszł*|dotar*) (?:[^ ]+ )?(?:uszkodzon*|zepsut*|rozbit*)|nie (?:dotarł*|dotarl*|przyszł*|przyszedł)|zwrotu|gdzie jest moj*',
  },
  cs: {
    wish: 'chci|chtel*|chteji|hled*|potreb*|najd*|najit|ukaz*|dej mi|muzes|muzete|mohu|muzu|jak (?:mohu|se nauc*|vybrat)|kde (?:mohu|je|jsou|najdu)|jak[aey]*|kter*|dobr*|lepsi|cena|ceny|kolik stoji|stoji|blizko|pobliz*|hlad|zizen|chut|rad*|tipy|napad*|naucit|pomo*|rezerv*|prosim|recept*|porovn*|tich*',
    buy: 'koup*|kupovat|pronaj*|objedn*|doporuc*|porad*|nejleps*|levn*|nejlevn*',
    fact: 'kdo (?:je|byl|napsal|vyhral|vynalezl)|kdy (?:byl|je|zemrel)|kolik (?:lidi|let|dni)|proc|co (?:je|znamena)|hlavni mesto|vynalez*',
    chore:
      'budik*|casovac*|pripom*|zrus*|vrat*|vracen*|zavol*|e-?mail*|zprav*|kalendar*|zapn*|vypn*|hlasitost|smaz*|vypoved*|pocasi|kolik je hodin|nakupni seznam|schuzk*|muj (?:ucet|ucet)|moje (?:heslo|objednavka)|moje (?:zasilka)|muj (?:balik)|(?:prise*|dorazi*) (?:[^ ]+ )?(?:rozbit*|poskozen*|rozbity)|nedorazi*|neprise*|vratit penize|penize zpet',
  },
  tr: {
    wish: 'istiyor*|isterim|ister*|arıyor*|ariyor*|lazım|lazim|gerek*|ihtiyac*|bul*|goster*|ver|verir misin|misin|misiniz|mısın|mısınız|nasıl .{0,40}(?:ogren*|sec*|bulur*|yapabilir*|alabilir*)|nerede*|nereden|hangi*|iyi|guzel|fiyat*|kac para|ne kadar|kac lira|yakın*|yakin*|acım|actım|acıktım|susad*|oneri*|tavsiye*|fikir*|ogrenmek|yardım*|yardim*|rezerv*|lutfen|tarif*|karsılastır*|sessiz*|var mı|var mi',
    buy: 'satın al*|satin al*|almak|alay*|alabilir*|kirala*|siparis*|oner*|tavsiye*|en iyi*|ucuz*|nereden',
    fact: 'kim(?:dir)? (?:icat|yazdı|kazandı|buldu)|ne zaman|kac (?:kisi|yas|gun|yıl)|neden|nicin|nedir|ne demek|baskent*|icat',
    chore:
      'alarm*|zamanlayıcı*|hatırlat*|hatirlat*|iptal*|iade*|ara(?:r mısın)?|e-?posta*|e-?mail*|mesaj*|takvim*|ısıkları|ac(?:ar mısın)?|kapat*|ses seviyesi|sil|hava (?:durumu|nasıl)|saat kac|alısveris listesi|toplantı*|hesabım*|siparisim*|sifrem*|kargom|paketim|siparis* (?:gelmedi|ulasmadı|nerede)|(?:kırık|bozuk|hasarlı) (?:geldi|cıktı)|paramı geri|gelmedi',
  },
  ru: {
    wish: 'хочу|хотел*|хотим|ищу|ищем|нуж*|найди*|наити|найти|покажи*|дай*|можете|можешь|можно|могу|мог* бы|как (?:можно|научиться|выбрать|мне)|где (?:можно|наити|найти|есть|находится)|как(?:ая|ои|ой|ое|ие|ую|их)|котор*|хорош*|лучш*|цена|цены|сколько (?:стоит|стоят)|стоит|рядом|близко|поблизости|голоден|голодна|есть ли|совет*|идеи|научиться|помоги*|заброниров*|брониров*|пожалуиста|пожалуйста|рецепт*|сравн*|тих*',
    buy: 'куп*|снять|аренд*|заказ*|порекомендуи*|порекомендуй*|посоветуи*|посоветуй*|рекоменд*|лучш*|дешев*|недорог*',
    fact: 'кто (?:такои|такой|написал|изобрел|выиграл|был*)|когда (?:был*|родился|умер)|сколько (?:людеи|лет|дней|днеи)|почему|зачем|что (?:такое|значит|означает)|столица|изобрел*',
    chore:
      'будильник*|таймер*|напомн*|отмен*|верн*|возврат*|позвон*|почт*|письм*|сообщен*|календар*|включ*|выключ*|громкость|удал*|погод*|который час|которыи час|список покупок|встреч*|мо(?:и|й|его|ему) (?:аккаунт*|заказ*|счет*|парол*)|(?:пришл*|пришел|приехал*|доставили) (?:[^ ]+ )?(?:сломан*|разбит*|поврежд*|брак*)|не (?:пришел|пришл*|доставили|доставлен*)|где мо[ийея] (?:заказ|посылка)|моя посылка|деньги (?:назад|обратно)',
  },
  uk: {
    wish: 'хочу|хотів*|хотіл*|шукаю|потріб*|знаиди*|знайди*|знаити|знайти|покажи*|даи|дай|можете|можеш|можна|можу|як (?:можна|навчитися|вибрати)|де (?:можна|знаити|знайти|є)|як(?:ии|ий|а|е|і|у)|котр*|добр*|гарн*|кращ*|ціна|ціни|скільки (?:коштує|коштують)|коштує|поруч|поблизу|голодн*|порад*|ідеі|навчитися|допомож*|заброню*|будь ласка|рецепт*|порівн*|тих*',
    buy: 'куп*|оренд*|замов*|порад*|рекоменд*|наикращ*|найкращ*|дешев*|недорог*',
    fact: 'хто (?:такии|такий|написав|винаишов|був)|коли (?:був|народився|помер)|скільки (?:людеи|років|днів)|чому|навіщо|що (?:таке|означає)|столиця|винаход*',
    chore:
      'будильник*|таимер*|таймер*|нагада*|скасу*|поверн*|подзвон*|пошт*|лист*|повідомлен*|календар*|увімк*|вимк*|гучність|видал*|погод*|котра година|список покупок|зустріч*|мо[єїя] (?:замовленн*|посилк*)|моє замовлення|(?:прииш*|приїха*) (?:[^ ]+ )?(?:зламан*|розбит*|пошкодж*)|не (?:прииш*|доставил*)|гроші назад',
  },
  ja: {
    wish: 'たい|ほしい|欲しい|探して|探す|さがして|必要|おすすめ|お勧め|オススメ|ください|下さい|教えて|ありますか|できますか|どこで|どこに|どの|どれ|いい|良い|いくら|値段|料金|近く|お腹|空いた|すいた|予約|比較|習い|学び|方法|どうすれば|安い|人気|見せて|見つけて|レシピ',
    buy: '買い|買う|買える|購入|注文|借り|おすすめ|お勧め|オススメ|安い|一番いい|どこで',
    fact: '何と言う|なんという|何という|何と言い|なんと言|と呼ばれ|とは何|(?:の|ところ|とき|場所)は[?？]|には[?？]|ことは[?？]|ものは[?？]|行為は|いつですか|誰|だれ|なぜ|どうして|何年|首都|発明|意味',
    chore:
      'アラーム|目覚まし|タイマー|リマインド|リマインダー|キャンセル|取り消|返品|返金|電話をかけ|メール|メッセージ|カレンダー|つけて|消して|音量|削除|解約|天気|何時|買い物リスト|会議|届きません|届かない|届いていません|届いてない|まだ届|いつ届|壊れてい|壊れて届|不良品|返して(?:ほしい|ください)|私の注文|配送状況',
  },
  zh: {
    wish: '想|要|需要|找|寻找|推荐|推薦|请|請|哪里|哪裡|哪儿|哪个|哪些|怎么|怎麼|如何|好的|最好|多少钱|多少錢|价格|價格|附近|饿|餓|渴|建议|建議|学习|學習|帮|幫|预订|預訂|预约|預約|比较|比較|安静|便宜|有没有|有沒有|可以',
    buy: '买|買|购买|購買|租|订购|訂購|推荐|推薦|最好|便宜|哪里买|哪裡買',
    fact: '谁|誰|什么时候|什麼時候|几年|为什么|為什麼|是什么意思|是什麼意思|首都|发明|發明|多少人',
    chore:
      '闹钟|鬧鐘|计时|計時|提醒|取消|退货|退貨|退款|打电话|打電話|邮件|郵件|短信|日历|日曆|打开灯|开灯|关灯|關燈|音量|删除|刪除|天气|天氣|几点|幾點|购物清单|會議|会议|我的(?:订单|訂單|包裹|快递|快遞)|还没(?:到|收到|送到)|還沒(?:到|收到|送到)|没收到|坏了|壞了|破损|退钱|退錢|物流',
  },
  ko: {
    wish: '싶|원해|원합|필요|찾|추천|주세요|줘|알려|있나요|있어요|있을까|어디|어떤|어느|좋은|얼마|가격|근처|배고|목말|조언|배우|도와|예약|비교|싼|저렴|조용|방법|어떻게',
    buy: '사고|살까|구매|구입|빌리|렌트|주문|추천|제일|가장 좋|저렴|싼|어디서',
    fact: '누가|누구|언제|몇 년|왜|무슨 뜻|수도|발명|뭐라고',
    chore:
      '알람|타이머|알림|상기|취소|반품|환불|전화|이메일|메일|메시지|캘린더|일정|켜|꺼|볼륨|삭제|해지|날씨|몇 시|쇼핑 목록|회의|안 왔|오지 않|도착하지 않|도착 안|언제 (?:도착|오나)|고장|파손|깨진|돌려\\s?주|제 주문|내 주문|배송 (?:조회|상태)',
  },
  fi: {
    wish: 'haluan|haluaisi*|etsin|etsimme|tarvits*|nayta|loytaisi*|loyda*|voitko|voisitko|voiko|mista (?:voin|voi|saan|saa|loydan|loytyy)|missa (?:on|voi|voin)|mika (?:on paras|olisi)|mita (?:suosit*|kannat*)|hyva*|hinta*|hinnat|paljonko (?:maksaa|maksavat)|maksaa|lahella|nalka*|jano|vinkk*|neuvo*|oppia|auta|varata|varaan|ilmais*|kannattaako|onko',
    buy: 'osta*|ostaa|vuokra*|tilata|tilaan|suosittel*|suositus*|suosituks*|para*|parhaa*|parhai*|halv*|halp*|edulli*',
    fact: 'kuka|ketka|milloin|kuinka (?:mon*|vanha|korkea|pitka)|montako|miksi|mika on .{0,40}paakaupunki|paakaupunki|mita (?:tarkoittaa|tarkoitta*|on)|keksi*|keksinyt',
    chore:
      'heraty*|ajastin*|muistut*|peru|peruuta*|palauta*|palautta*|rahat takaisin|hyvity*|tilaukse(?:ni|n|stani|lleni)|tilaamani|paketti(?:ni)?|lahetykse*|ei(?:vat|kä)? (?:ole )?(?:viela )?(?:saapun*|tullut|tulleet)|saapui rikki|rikki|rikkinai*|soita|sahkoposti*|viesti*|kalenteri*|sammuta|poista|kaanna|kirjoita|saa (?:tanaan|huomenna)|paljonko kello|kauppalista*|salasana*|tilini',
  },
  el: {
    wish: 'θελω|θελουμε|θα ηθελα|ψαχνω|ψαχνουμε|χρειαζομαι|χρειαζομαστε|βρω|βρες|δειξε|δωσε|μπορεις|μπορειτε|μπορω|που (?:μπορω|υπαρχ*|βρισκ*|ειναι|θα βρω)|ποι[οαεη]*ς? (?:ειναι|να)|καλ[οηαυ]*[νς]?|τιμη|τιμες|ποσο (?:κανει|κοστιζ*|εχει)|κοστιζ*|κοντα|πειναω|συμβουλ*|ιδε*|μαθω|βοηθ*|κλεισω|υπαρχει',
    buy: 'αγορ*|νοικια*|παραγγειλω|προτειν*|συνιστ*|καλυτερ*|φθην*|φτην*|οικονομικ*',
    fact: 'ποιος (?:ειναι ο|ηταν|εφηυρε|εγραψε|κερδισε|ανακαλυψε)|ποια (?:ηταν|ειναι η πρωτευουσα)|ποτε|ποσ(?:οι|ες|α) |γιατι|τι (?:ειναι|σημαινει|ηταν)|πρωτευουσα|εφηυρε|μεταφρασ*|γραψε',
    chore:
      'ξυπνητηρι|χρονομετρο|υπενθυμ*|ακυρ*|επιστροφη|επιστρεψ*|παραγγελια μου|παραγγελιας μου|δεμα μου|δεν (?:εφτασ*|ηρθ*|εχει φτασει|εχουν φτασει)|(?:εφτασ*|ηρθ*) (?:[^ ]+ )?(?:σπασμεν*|χαλασμεν*)|χαλασμεν*|τα λεφτα μου|χρηματα (?:μου )?πισω|τηλεφωνησε|μηνυμα|ημερολογιο|αναψε|σβησε|διαγραψε|καιρος|τι ωρα|λογαριασμο* μου|κωδικο* μου',
  },
  ro: {
    wish: 'vreau|vrem|as vrea|as dori|doresc|caut|cautam|am nevoie|avem nevoie|gases*|gasi|arata*|da-mi|poti|puteti|pot|unde (?:pot|gasesc|este|exista)|care (?:este cel|este cea|sunt cele|e cel)|ce .{0,40}(?:recoman*|sugere*)|bun|buna|buni|bune|pret*|cat costa|costa|aproape|foame|sete|sfat*|idei|invat*|ajut*|rezerv*|va rog|te rog|exista',
    buy: 'cumpar*|inchiri*|comand|comanda un*|recoman*|suger*|cel mai bun|cea mai buna|cele mai bune|ieftin*',
    fact: 'cine|cand (?:a|s-a|este)|cati|cate|de ce|ce (?:este|inseamna|a fost)|capitala|inventat|tradu*|scrie',
    chore:
      'alarma|cronometru|aminte*|anul*|returna*|returnez|ramburs*|banii (?:inapoi|mei)|comanda (?:mea|noastra)|comenzii mele|coletul|pachetul meu|nu (?:a|au) (?:ajuns|sosit|venit)|(?:ajuns|sosit|venit) (?:[^ ]+ )?(?:stricat*|spart*|defect*)|stricat*|suna-l|e-?mail*|mesaj*|calendar*|aprinde|stinge|volum*|sterge|vremea|cat e ceasul|contul meu|parola mea',
  },
  hu: {
    wish: 'szeretnek|szeretnenk|akarok|keresek|keresunk|kell|kellene|szuksegem|talalok|mutass*|adj|tudsz|tudnal|tudna|lehet|hol (?:lehet|talalok|tudok|van a kozelben)|melyik|milyen|jo|jok|ar|arak|mennyibe kerul|kozel*|ehes|szomjas|tipp*|otlet*|tanul*|segits*|foglal*|van valami|erdemes',
    buy: 'ven*|vasarol*|berel*|rendelni|ajanl*|javas*|legjobb|olcso*',
    fact: 'ki (?:volt|az|talalta|irta|nyerte)|kik|mikor|hany|hanyan|miert|mit jelent|mi az|mi a fovarosa|fovaros*|talalta fel|fordit*|ird',
    chore:
      'ebreszto*|idozito*|emlekeztes*|lemond*|torold|torol*|visszakuld*|visszater*|vissza a penzem|penzem*|rendelesem*|csomagom*|nem (?:erkezett|jott)|(?:torott*|serult*|hibas*) (?:erkezett|jott)|hivd|e-?mail*|uzenet*|naptar*|kapcsold|hangero|idojaras|hany ora|fiokom*|jelszavam*',
  },
  bg: {
    wish: 'искам|искаме|бих искал*|търся|търсим|трябва ми|нуждая|нужд*|намер*|покажи|дай|можеш|можете|мога|къде (?:мога|има|да|се)|кой е най|коя е най|кои са най|какв[оаи] (?:да|е добр*)|добър|добра|добри|добро|цена|цени|колко струва*|струва*|близо|наблизо|гладен|гладна|съвет*|идеи|науча|помогн*|помощ|резерв*|моля|има ли',
    buy: 'куп*|наем*|поръчам|препоръч*|посъвет*|най-добр*|евтин*',
    fact: 'кой (?:е измислил|изобрет*|написа*|беше|спечели)|кога|колко (?:души|години|дни)|защо|какво (?:е|означава|значи)|столица*|изобрет*|преведи|напиши',
    chore:
      'аларма|таймер|напомни|отмен*|отказ*|върна|върнете|връщане|поръчката ми|поръчката|пратката ми|не (?:пристигна*|дойде|доидоха|са пристигнали)|(?:пристигна*|доиде) (?:[^ ]+ )?(?:счупен*|повреден*)|счупен*|парите (?:ми|обратно)|обади|имейл*|съобщени*|календар*|включи|изключи|изтрии|времето|колко е часът|профила ми|паролата ми',
  },
  ar: {
    wish: 'أريد|اريد|نريد|أبحث|ابحث|نبحث|أحتاج|احتاج|نحتاج|عايز|عاوز|ابغى|بدي|أود|ارغب|أين (?:أجد|يمكنني|أستطيع|يوجد|يمكن)|وين (?:ألاقي|اجد|يمكن)|هل (?:يمكنك|يمكن|يوجد|تعرف|تنصح*|هناك)|أرني|أعطني|ما هو أفضل|ما هي أفضل|ما (?:أفضل|أحسن)|جيد|جيدة|سعر|أسعار|بكم|كم (?:سعر|يكلف|تكلف|ثمن)|قريب*|جائع|جوعان|نصيح*|نصائح|أتعلم|ساعدني|احجز|أحجز|من فضلك',
    buy: 'شراء|أشتري|لشراء|اشتري|استئجار|أستأجر|أنصحني|تنصح*|انصح*|بماذا تنصح|أفضل|أحسن|رخيص|رخيصة|أرخص',
    fact: 'من (?:هو|هي|اخترع|كتب|فاز|كان|اكتشف)|متى|كم (?:عدد|عمر|عام|سنة|يبلغ)|لماذا|ما (?:هي عاصمة|معنى|هو تعريف)|ماذا (?:يعني|تعني)|عاصمة|اخترع|ترجم|ترجمة|اكتب|اكتب لي',
    chore:
      'منبه|مؤقت|ذكرني|ألغ|ألغي|إلغاء|الغاء|استرداد|استرجاع|إرجاع|ارجاع|أعيد المنتج|طلبي|طلبيتي|شحنتي|الطرد|لم (?:يصل|تصل|يصلني|تصلني|أستلم)|وصل(?:ت|ني)? .{0,40}(?:مكسور*|تالف*|معيب*)|مكسور*|تالفة?|أموالي|نقودي|فلوسي|اتصل ب*|رسالة|تقويم|شغل|أطفئ|الصوت|احذف|الطقس|كم الساعة|حسابي|كلمة المرور',
  },
  he: {
    wish: 'אני רוצה|אנחנו רוצים|רוצה|הייתי רוצה|מחפש|מחפשת|מחפשים|צריך|צריכה|צריכים|תראה|תן לי|אפשר|איפה (?:אפשר|יש|אני|ניתן|כדאי)|היכן|איזה|איזו|אילו|טוב|טובה|טובים|מחיר*|כמה (?:עולה|עולים|זה עולה)|קרוב|ליד|רעב|רעבה|טיפ*|עצה|ללמוד|עזרה|תעזור|להזמין|בבקשה|יש לכם',
    buy: 'לקנות|קונים|לשכור|ממליצ*|ממליץ|המלצ*|תמליץ*|להמליץ|הכי טוב*|זול|זולה|זולים|זולות',
    fact: 'מי (?:זה|היה|הייתה|המציא*|כתב*|ניצח|גילה)|מתי|כמה (?:אנשים|שנים|ימים)|למה|מדוע|מה (?:זה|פירוש|המשמעות|היה)|בירת|בירה של|המציא|תרגם|תתרגם|כתוב|תכתוב',
    chore:
      'שעון מעורר|טיימר|תזכיר*|בטל|לבטל|ביטול|להחזיר|החזר|החזרה|ההזמנה שלי|הזמנה שלי|ההזמנה|החבילה שלי|המשלוח|לא (?:הגיע|הגיעה|הגיעו|קיבלתי)|(?:הגיע|הגיעה|הגיעו) .{0,40}(?:שבור*|פגומ*|מקולקל*)|שבור|שבורה|כסף בחזרה|הכסף שלי|תתקשר|הודעה|יומן|תדליק|תכבה|עוצמ*|מחק|מזג האוויר|מה השעה|החשבון שלי|הסיסמה שלי',
  },
  hi: {
    wish: 'चाहिए|चाहता|चाहती|चाहते|ढूंढ*|ढूँढ*|खोज*|तलाश|जरूरत|ज़रूरत|दिखाओ|दिखाइए|दिखाएं|बताओ|बताइए|बताएं|कहाँ|कहां|कौन सा|कौन सी|कौनसा|कौनसी|अच्छा|अच्छी|अच्छे|दाम|कीमत|कितने (?:का|की|में)|नजदीक|पास में|भूख|प्यास|सलाह|सुझाव|सीखना|मदद|बुक|कृपया|क्या .{0,40}(?:मिल|है क्या)',
    buy: 'खरीद*|ख़रीद*|लेना है|लेनी है|किराए|ऑर्डर करना|सुझाव|सुझाइए|सुझाओ|सबसे अच्छ*|बेस्ट|सस्त*|मिलेगा|मिलेगी|मिलेंगे',
    fact: 'किसने|कौन (?:है|था|थे|थी)|कब (?:हुआ|हुई|था|थी)|कितने (?:लोग|साल|दिन|देश)|क्यों|मतलब|अर्थ|राजधानी|आविष्कार|अनुवाद|लिखो|लिखिए|निबंध',
    chore:
      'अलार्म|टाइमर|याद दिला*|रद्द|कैंसल|कैंसिल|वापस|रिफंड|रिटर्न|लौटा*|मेरा ऑर्डर|मेरे ऑर्डर|मेरा पार्सल|मेरी डिलीवरी|(?:नहीं|अभी तक).{0,40}(?:आया|आई|आए|पहुँचा|पहुंचा|मिला|मिली)|टूटा|टूटी|टूटे|खराब (?:निकल*|मिल*|आया|आई)|पैसे वापस|कॉल करो|संदेश|कैलेंडर|बंद करो|चालू करो|आवाज|डिलीट|मौसम|कितने बजे|मेरा खाता|पासवर्ड',
  },
  th: {
    wish: 'อยาก|ต้องการ|กำลังหา|มองหา|ตามหา|ช่วยหา|หา.{0,40}(?:ให้|หน่อย)|แนะนำ|ขอ.{0,40}แนะนำ|ที่ไหน|ไหนดี|แบบไหน|อันไหน|รุ่นไหน|ยี่ห้อไหน|อะไรดี|ดีไหม|ดีมั้ย|ราคา|เท่าไหร่|เท่าไร|ใกล้|หิว|เรียน|จอง|มี.{0,40}ไหม|เปรียบเทียบ|วิธีเลือก',
    buy: 'ซื้อ|เช่า|สั่งซื้อ|แนะนำ|ดีที่สุด|ถูก|ราคาประหยัด|ที่ไหน',
    fact: 'ใคร|เมื่อไหร่|เมื่อไร|กี่(?:คน|ปี|วัน)|ทำไม|คืออะไร|แปลว่า|หมายความ|เมืองหลวง|ประดิษฐ์|แปล|เขียน',
    chore:
      'นาฬิกาปลุก|ตั้งเวลา|เตือน|ยกเลิก|คืนเงิน|คืนสินค้า|เงินคืน|คำสั่งซื้อ|ออเดอร์|พัสดุ|ที่สั่ง(?:ไว้|ไป)?|ยังไม่(?:มา|ถึง|ได้รับ)|ไม่ได้รับ|ชำรุด|เสียหาย|พัง|แตก|โทรหา|ข้อความ|อีเมล|ปฏิทิน|เปิดไฟ|ปิดไฟ|ลบ|อากาศ|กี่โมง|บัญชีของ|รหัสผ่าน',
  },
  vi: {
    wish: 'muốn|cần|tìm|kiếm|cho (?:tôi|mình|em) (?:xem|biết)|ở đâu|chỗ nào|nơi nào|loại nào|cái nào|nào (?:tốt|ngon|đẹp|rẻ)|tốt|giá|bao nhiêu tiền|giá bao nhiêu|gần|đói|khát|tư vấn|gợi ý|lời khuyên|học|giúp|đặt (?:phòng|bàn|vé)|có .{0,40}(?:không|nào)|nên|so sánh',
    buy: 'mua|thuê|đặt mua|gợi ý|giới thiệu|khuyên|tốt nhất|rẻ|giá rẻ|ở đâu',
    fact: 'ai|khi nào|bao giờ|năm nào|bao nhiêu (?:người|năm|ngày|tuổi)|tại sao|vì sao|là gì|nghĩa là|thủ đô|phát minh|dịch|viết',
    chore:
      'báo thức|hẹn giờ|nhắc|hủy|huỷ|hoàn tiền|hoàn lại|trả lại|trả hàng|đơn hàng|kiện hàng|chưa (?:đến|tới|nhận|giao)|không nhận được|(?:bị|đã) (?:hỏng|vỡ|hư|bể)|lấy lại tiền|gọi điện|gọi cho|tin nhắn|lịch|bật đèn|tắt|âm lượng|xóa|thời tiết|mấy giờ|tài khoản của|mật khẩu',
  },
  ms: {
    wish: 'ingin|mau|hendak|pengen|pingin|mencari|cari|carikan|butuh|perlu|tunjukkan|berikan|bisakah|bisa|boleh|di mana|dimana|mana yang|yang mana|apa yang (?:bagus|cocok|terbaik)|bagus|harga|berapa (?:harga|biaya)|dekat|terdekat|lapar|haus|saran|tips|ide|belajar|bantu|tolong|pesan (?:kamar|meja|tiket)|apakah ada|ada|bandingkan',
    buy: 'beli|membeli|sewa|menyewa|rekomendasi*|merekomendasikan|sarankan|terbaik|murah|termurah',
    fact: 'siapa|kapan|bila|berapa (?:banyak|orang|tahun|umur|lama)|mengapa|kenapa|apa (?:itu|arti*|maksud*)|ibu kota|ibukota|menemukan|penemu|terjemahkan|tulis|tuliskan',
    chore:
      'alarm|timer|ingatkan|batalkan|membatalkan|pembatalan|kembalikan|mengembalikan|pengembalian|refund|uang (?:saya )?kembali|pesanan (?:saya|ku)|pesananku|paket saya|paketku|belum (?:sampai|datang|tiba|diterima)|rusak|pecah|cacat|telepon ke|hubungi|email|pesan ke|kalender|nyalakan|matikan|volume|hapus|cuaca|jam berapa|akun saya|kata sandi',
  },
};
