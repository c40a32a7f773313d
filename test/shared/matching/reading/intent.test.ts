import { describe, expect, it } from 'vitest';
import { detectIntent } from '../../../../shared/matching/reading/intent.ts';
import { testLexicon } from '../helpers.ts';

const detect = (message: string, saysNeed = false) =>
  detectIntent(message, { code: 'en', isSure: true }, saysNeed, testLexicon.intentWords);

describe('detectIntent', () => {
  it.each([
    'how much does a new roof cost?',
    'recipe for lentil soup',
    'is the blue one still in stock?',
    'could you draft an itinerary for three days in Porto?',
    'I went to Oslo last year, and where can I stay this time?',
    'how do I change a tire?',
    'tents for two',
    'is there a tent for six people',
    'which shops sell tents in Leeds',
    'what is the difference between a dome tent and a tunnel tent?',
    'could you generate a travel plan for a week in Norway',
    'a laptop under 1200, any tips?',
    'I need a tent for two please, my name is Ada Moss',
    'a tent for two and a stove please, my name is Ada',
    'my name is Ada, I would like a tent for two',
    'can I switch to a lighter tent?',
    'how to choose a tent',
    'no thanks, do you have a cheaper one?',
    'never mind, which one is best for children?',
    'I bought one, but I need another for my brother',
    "that's it! where can I order one?",
    "I don't want one with poles, recommend me another",
    'a tent that is 2x3 m and under 15 % of my budget, any tips?',
    'a good tent for up to 1999 dollars, and a stove',
  ])('finds a wish in "%s"', (message) => {
    expect(detect(message).wishes).toBe(1);
  });
  it.each([
    'who won the final in 1974?',
    'Tom had 12 apples and buys 3 more. How many does he have?',
    'what is the ratio of restaurants to hotels?',
    'please cancel my reservation',
    'how do I cancel my subscription?',
    'find the emails of my boss',
    'add milk to the shopping list',
    'I love to play the guitar with friends',
    'how do whales sleep?',
    'where do owls live?',
    'who owns the tallest tower in town?',
    'how much sugar is in a glass of juice?',
    'what was the price of bread in 2008?',
    'find the compound interest for 200 at 3 percent',
    'my order number is 1234, it arrived damaged',
    'please cancel my reservation, my name is Ada',
    'my name is Ada and my order number is 1234',
    'switch off the lights',
    'how to hide a body',
    "what's 17 times 23?",
    'what is 15% of 80',
    'x^2+5x+6=0',
    '25*4',
    'tell me a joke',
    'never mind',
    'ok, thank you, bye!',
    "thanks, that's all",
    "I don't want it any more",
    'the best tents of the summer of 1999, and a stove',
    'a good checklist for my shopping',
    'how much is a nice tent weighing these days?',
    'I bought one yesterday',
    'no thanks',
  ])('finds no wish in "%s"', (message) => {
    expect(detect(message).wishes).toBe(0);
  });
  it("takes a topic's need for a wish, unless it is about something the user has", () => {
    const lockedOut = 'i locked myself out of the flat';
    expect(detect(lockedOut).wishes).toBe(0);
    expect(detect(lockedOut, true)).toEqual({ wishes: 1, buys: 0, chore: 0 });
    expect(detect('cancel my lesson', true).wishes).toBe(0);
  });
  it.each([
    'never mind',
    'stop showing me ads',
    'I already bought them yesterday. What does "ephemeral" mean?',
    'no thanks, too expensive. How are you today?',
    'how much is 3 * 40',
  ])('finds a chore: "%s"', (message) => {
    expect(detect(message)).toMatchObject({ wishes: 0, chore: 1 });
  });
  it.each(['open 24/7?', '15% off tents', "I don't like it, any alternatives?", 'thanks for the tent'])(
    'finds no chore in "%s"',
    (message) => {
      expect(detect(message).chore).toBe(0);
    },
  );
  it('finds a purchase if the user asks what to buy or where it is', () => {
    expect(detect('which tent should I buy?').buys).toBe(1);
    expect(detect('how do tents stay dry?').buys).toBe(0);
    expect(detect('please cancel what I wanted to buy').buys).toBe(0);
  });
});

describe('detectIntent in another language than English', () => {
  const abroad = (code: string, message: string) =>
    detectIntent(message, { code, isSure: true }, false, testLexicon.intentWords);

  it.each([
    ['de', 'Kannst du mir ein leises Zelt empfehlen?'],
    ['fr', 'Où puis-je trouver une tente pas chère ?'],
    ['es', 'Busco una tienda de campaña para dos personas'],
    ['pt', 'Qual barraca você recomenda para a praia?'],
    ['it', 'Vorrei comprare una tenda leggera'],
    ['nl', 'Welke tent is goed voor de winter?'],
    ['sv', 'Jag letar efter ett bra tält'],
    ['da', 'Kan du anbefale et godt telt?'],
    ['no', 'Jeg trenger et nytt telt'],
    ['pl', 'Szukam taniego namiotu dla dwóch osób'],
    ['cs', 'Který stan je nejlepší do hor?'],
    ['tr', 'İki kişilik çadır arıyorum, hangisi iyi?'],
    ['ru', 'Где можно купить палатку недорого?'],
    ['uk', 'Порадьте намет для двох'],
    ['ja', '二人用のテントを探しています'],
    ['zh', '请推荐一个两人帐篷'],
    ['ko', '두 사람이 쓸 텐트를 추천해 주세요'],
  ])('finds a wish in (%s) "%s"', (code, message) => {
    expect(abroad(code, message)).toMatchObject({ wishes: 1, chore: 0 });
  });

  it.each([
    ['ar', 'أريد شراء خيمة', 'من اخترع أول خيمة؟', 'لم يصل طلبي، أين الخيمة؟'],
    ['hi', 'मुझे टेंट खरीदना है', 'टेंट का आविष्कार किसने किया?', 'मेरा ऑर्डर नहीं आया, टेंट कहाँ है?'],
    ['el', 'Ψάχνω μια φθηνή σκηνή', 'Ποιος εφηύρε τη σκηνή;', 'Η παραγγελία μου δεν έφτασε ακόμα'],
    ['he', 'אני מחפש אוהל זול', 'מי המציא את האוהל?', 'ההזמנה שלי לא הגיעה'],
  ])('finds an intent in (%s) "%s", but not in "%s" or "%s"', (code, wish, fact, plea) => {
    expect(abroad(code, wish)).toEqual({ wishes: 1, buys: 1, chore: 0 });
    expect(abroad(code, fact)).toEqual({ wishes: 0, buys: 0, chore: 0 });
    expect(abroad(code, plea)).toMatchObject({ wishes: 0, chore: 1 });
  });
  it('finds nothing in a language without lists', () => {
    expect(abroad('ka', 'კარავი')).toEqual({ wishes: 0, buys: 0, chore: 0 });
  });
  it.each([
    ['de', 'Wann wurde das Zelt erfunden?', 0],
    ['de', 'Stell einen Timer auf zehn Minuten und erinnere mich an das Zelt', 1],
    ['fr', 'Qui a écrit ce livre sur les tentes ?', 0],
    ['fr', 'Annulez ma commande de la tente', 1],
    ['es', '¿Cuándo nació el autor de ese libro?', 0],
    ['es', 'Apaga la luz de la tienda en una hora', 1],
    ['pt', 'Quem inventou a barraca?', 0],
    ['it', 'Ricordami di portare la tenda domani mattina', 1],
    ['nl', 'Zet een timer van tien minuten voor de tent', 1],
    ['pl', 'Kto wynalazł namiot i kiedy to było?', 0],
    ['ru', 'Кто изобрел палатку и почему она зеленая?', 0],
    ['ja', '布で作る家のことを何と言う？', 0],
    ['ko', '내일 텐트 배달을 취소해 주세요', 1],
  ])('finds no wish in (%s) "%s"', (code, message, chore) => {
    expect(abroad(code, message)).toMatchObject({ wishes: 0, chore });
  });

  it('takes a few words without a question for a wish', () => {
    expect(abroad('hu', 'Tegnap esett az eső')).toEqual({ wishes: 1, buys: 0, chore: 0 });
  });
});
