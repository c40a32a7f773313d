import { describe, expect, it } from 'vitest';
import { audience, open, talk } from './helpers.ts';

/** One keyword, and a request for it. Written before the word lists of these languages. */
const WELCOME = [
  ['ar', 'ماكينة قهوة', 'أريد شراء ماكينة قهوة'],
  ['ar', 'سيارة', 'أين يمكنني شراء سيارة رخيصة؟'],
  ['ar', 'فندق', 'هل تنصحني بفندق جيد في دبي؟'],
  ['hi', 'कॉफी मशीन', 'मुझे कॉफी मशीन खरीदनी है'],
  ['hi', 'लैपटॉप', 'सस्ता लैपटॉप कहाँ मिलेगा?'],
  ['hi', 'जूते', 'दौड़ने के लिए अच्छे जूते बताइए'],
  ['th', 'กาแฟ', 'แนะนำเครื่องชงกาแฟหน่อย'],
  ['th', 'โรงแรม', 'กำลังหาโรงแรมราคาถูกในเชียงใหม่'],
  ['fi', 'kahvinkeitin', 'Suosittele hyvää kahvinkeitintä'],
  ['fi', 'polkupyörä', 'Mistä voin ostaa halvan polkupyörän?'],
  ['fi', 'hotelli', 'Etsin hotellia Helsingistä'],
  ['el', 'ξενοδοχείο', 'Ψάχνω για ένα φθηνό ξενοδοχείο στην Αθήνα'],
  ['el', 'ποδήλατο', 'Πού μπορώ να αγοράσω ποδήλατο;'],
  ['he', 'מלון', 'אני מחפש מלון זול באילת'],
  ['he', 'אופניים', 'איפה אפשר לקנות אופניים?'],
  ['id', 'mesin kopi', 'Saya ingin membeli mesin kopi'],
  ['id', 'hotel', 'Ada rekomendasi hotel murah di Bandung?'],
  ['vi', 'máy pha cà phê', 'Tôi muốn mua máy pha cà phê'],
  ['vi', 'khách sạn', 'Tìm khách sạn giá rẻ ở Đà Nẵng'],
  ['ro', 'bicicletă', 'Unde pot cumpăra o bicicletă ieftină?'],
  ['ro', 'hotel', 'Caut un hotel bun în Brașov'],
  ['hu', 'kávéfőző', 'Melyik kávéfőzőt ajánlod? Egy jó kávéfőző kellene'],
  ['hu', 'szálloda', 'Olcsó szálloda kellene Budapesten, hol találok?'],
  ['bg', 'велосипед', 'Търся евтин велосипед, какво ще препоръчате?'],
] as const;

/**
 * Of twenty-four. Short messages in Latin letters or Devanagari may belong to several languages, and some words change
 * before an ending.
 */
const MAX_MISSED = 6;

/** Each contains a keyword, but no ad belongs there: a fact, or a complaint about an order. */
const UNWELCOME = [
  ['ar', 'حذاء', 'وصل طلبي مكسورا، أريد استرداد أموالي، كان حذاء'],
  ['hi', 'जूते', 'मेरा ऑर्डर अभी तक नहीं आया, जूते कब आएंगे?'],
  ['hi', 'रेडियो', 'रेडियो का आविष्कार किसने किया?'],
  ['th', 'รองเท้า', 'รองเท้าที่สั่งยังไม่มาถึง ขอเงินคืน'],
  ['th', 'วิทยุ', 'ใครเป็นผู้ประดิษฐ์วิทยุ'],
  ['fi', 'kengät', 'Tilaamani kengät eivät ole saapuneet, missä tilaukseni on?'],
  ['fi', 'puhelin', 'Kuka keksi puhelimen?'],
  ['el', 'παπούτσια', 'Η παραγγελία μου δεν έφτασε, πού είναι τα παπούτσια;'],
  ['el', 'τηλέφωνο', 'Ποιος εφηύρε το τηλέφωνο;'],
  ['he', 'נעליים', 'ההזמנה שלי לא הגיעה, איפה הנעליים?'],
  ['he', 'טלפון', 'מי המציא את הטלפון?'],
  ['id', 'sepatu', 'Pesanan saya belum sampai, di mana sepatu saya?'],
  ['id', 'telepon', 'Siapa yang menemukan telepon?'],
  ['vi', 'giày', 'Đơn hàng của tôi chưa đến, giày của tôi đâu?'],
  ['vi', 'điện thoại', 'Ai đã phát minh ra điện thoại?'],
  ['ro', 'pantofi', 'Comanda mea nu a ajuns, unde sunt acei pantofi?'],
  ['ro', 'telefon', 'Cine a inventat primul telefon?'],
  ['hu', 'cipő', 'Hol van a rendelésem? A cipő még nem érkezett meg'],
  ['bg', 'обувки', 'Поръчката ми не пристигна, къде са моите обувки?'],
  ['de', 'Schuhe', 'Wo bleibt meine Bestellung? Die Schuhe sollten am Montag kommen'],
  ['de', 'Kaffeemaschine', 'Die Kaffeemaschine kam kaputt an, ich will mein Geld zurück'],
  ['fr', 'chaussures', "Ma commande n'est pas arrivée, où sont mes chaussures ?"],
  ['fr', 'cafetière', 'La cafetière est arrivée cassée, je veux être remboursé'],
  ['es', 'zapatos', 'Mi pedido no ha llegado, ¿dónde están los zapatos?'],
  ['es', 'cafetera', 'La cafetera llegó rota y quiero que me devuelvan el dinero'],
  ['it', 'scarpe', 'Il mio ordine non è arrivato, dove sono le scarpe?'],
  ['it', 'macchina del caffè', 'La macchina del caffè è arrivata rotta, rivoglio i soldi'],
  ['pt', 'sapatos', 'Meu pedido não chegou, onde estão os sapatos?'],
  ['pt', 'cafeteira', 'A cafeteira chegou quebrada, quero meu dinheiro de volta'],
  ['nl', 'schoenen', 'Waar blijft mijn bestelling? De schoenen zijn nog niet aangekomen'],
  ['nl', 'koffiezetapparaat', 'Het koffiezetapparaat kwam kapot aan, ik wil mijn geld terug'],
  ['sv', 'skor', 'Min beställning har inte kommit, var är mina skor?'],
  ['sv', 'kaffebryggare', 'Min kaffebryggare kom trasig, jag vill ha pengarna tillbaka'],
  ['da', 'sko', 'Min ordre er ikke kommet, hvor er mine sko?'],
  ['no', 'sko', 'Bestillingen min har ikke kommet, hvor er skoene, mine nye sko?'],
  ['pl', 'buty', 'Moje zamówienie nie dotarło, gdzie są buty?'],
  ['pl', 'ekspres do kawy', 'Ekspres do kawy przyszedł uszkodzony, chcę zwrotu pieniędzy'],
  ['cs', 'boty', 'Moje objednávka nedorazila, kde jsou boty?'],
  ['tr', 'ayakkabı', 'Siparişim gelmedi, ayakkabı nerede kaldı?'],
  ['ru', 'кроссовки', 'Где мой заказ? Кроссовки должны были прийти в понедельник'],
  ['ru', 'кофеварка', 'Кофеварка пришла сломанной, хочу вернуть деньги'],
  ['uk', 'кросівки', 'Де моє замовлення? Кросівки мали прийти в понеділок'],
  ['ja', '靴', '注文した靴がまだ届きません。いつ届きますか？'],
  ['ja', 'コーヒーメーカー', '届いたコーヒーメーカーが壊れていました。返金してください'],
  ['zh', '鞋子', '我的订单还没到，我买的鞋子在哪里？'],
  ['zh', '咖啡机', '收到的咖啡机坏了，我要退钱'],
  ['ko', '신발', '주문한 신발이 아직 안 왔어요. 언제 도착하나요?'],
  ['ko', '커피머신', '커피머신이 고장난 채로 왔어요. 돈을 돌려주세요'],
] as const;

/** Messages that refuse the product. */
const REFUSED = [
  ['de', 'Fahrrad', 'Ich brauche kein Fahrrad, ich gehe zu Fuß'],
  ['fr', 'vélo', 'Je ne veux pas de vélo, je marche'],
  ['es', 'bicicleta', 'No necesito ninguna bicicleta, voy a pie'],
  ['it', 'albergo', 'Non voglio un albergo, dormo da un amico'],
  ['nl', 'fiets', 'Ik wil geen fiets, ik ga te voet'],
  ['pl', 'hotel', 'Nie potrzebuję hotelu, śpię u znajomych'],
  ['ru', 'отель', 'Мне не нужен отель, я ночую у друга'],
  ['sv', 'cykel', 'Jag behöver ingen cykel, jag går till fots'],
  ['pt', 'bicicleta', 'Não preciso de bicicleta, vou a pé'],
] as const;

const bids = (keyword: string, message: string): boolean =>
  open({ one: audience([keyword]) }).match(talk(message), { bid: () => 1_000_000 }).noBid === null;

describe('A campaign with one keyword in another language', () => {
  it('bids for most requests for that keyword', () => {
    const missed = WELCOME.filter(([, keyword, message]) => !bids(keyword, message));
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(MAX_MISSED);
  });
  it.each(REFUSED)('does not bid (%s, %s) when it is refused: "%s"', (_, keyword, message) => {
    expect(bids(keyword, message)).toBe(false);
  });
  it('bids when something else is refused', () => {
    expect(bids('Hotel', 'Ich suche ein Hotel, ich habe kein Zelt')).toBe(true);
    expect(bids('hôtel', 'Je cherche un hôtel pas cher, sans petit-déjeuner')).toBe(true);
    expect(bids('hotel', 'No quiero dormir en la calle: ¿qué hotel me recomiendas?')).toBe(true);
    expect(bids('отель', 'Ищу отель недорого, завтрак мне не нужен')).toBe(true);
  });
  it.each(UNWELCOME)('does not bid (%s, %s) for "%s"', (_, keyword, message) => {
    expect(bids(keyword, message)).toBe(false);
  });
});
