import { generator } from '../../tools/random.ts';

/** Ordinary text in a script, and units that an attacker could repeat to use processor time. */
interface Script {
  /** Sentences of an ordinary conversation. */
  sentences: readonly string[];
  /** The repeated units by a printable name, because some are invisible. */
  repeated: Readonly<Record<string, string>>;
  /** Letters for random words that no cache contains. */
  letters?: string;
}

const LATIN = 'abcdefghijklmnopqrstuvwxyz';

const ENGLISH = [
  'We moved to a new apartment near the river last spring and the kitchen is finally finished.',
  'I would like to find a comfortable pair of running shoes before the half marathon in October.',
  'My brother says that the old ones are fine, but the soles are worn and my knees hurt after ten miles.',
  'Are there a few pairs that are good on wet trails, and do they come in wide sizes too?',
  'The weather has been rather cold, so we mostly cook at home and watch movies in the evening.',
  'For the holidays we are thinking about a quiet cabin by a lake, with a fireplace and enough room for six people.',
  'A garden for the dog would be nice, and a week in March is cheaper than one in July.',
  'Last year the train was late twice, which is why we would rather rent a car this time.',
  'Is there anything that we have to know about winter tires in the mountains?',
  'Thanks, that helps a lot! I also wanted to ask you about a gift for my mother.',
  'She loves her garden, reads a great deal and has just started to learn Italian.',
  'Maybe a subscription to a magazine would be nice, or a course that she can take in the afternoon.',
];
const GERMAN = [
  'Wir sind im Frühjahr in eine größere Wohnung gezogen und suchen jetzt eine sparsame Waschmaschine.',
  'Könntest du mir ein paar Geräte empfehlen, die leise sind und nicht zu viel Strom verbrauchen?',
  'Außerdem brauchen wir für die Küche einen schmalen Geschirrspüler, weil neben der Tür kaum Platz ist.',
  'Meine Schwester hat voriges Jahr eine Haftpflichtversicherung abgeschlossen und ist damit sehr zufrieden.',
  'Lohnt sich für uns eher eine Hausratversicherung, oder genügt das, was der Vermieter schon bezahlt?',
  'Im Sommer möchten wir mit den Kindern an die Ostsee fahren und dort eine Ferienwohnung mieten.',
  'Sie sollte höchstens zehn Minuten vom Strand entfernt sein und einen überdachten Fahrradstellplatz haben.',
  'Letztes Mal war die Straßenbahnhaltestelle weit weg, und abends fuhren die Busse nur noch stündlich.',
  'Was müsste man für eine Woche ungefähr rechnen, wenn man früh genug bucht?',
  'Danke, das hört sich gut an, und über Vorschläge für schöne Ausflüge würde ich mich auch freuen.',
];
const KOREAN = [
  '다음 달에 부산으로 가족 여행을 가려고 하는데 바다가 보이는 호텔을 찾고 있어요.',
  '아이가 둘이라서 방이 조금 넓고 아침 식사가 포함된 곳이면 좋겠습니다.',
  '지난번에 묵었던 숙소는 역에서 너무 멀어서 택시비가 많이 나왔어요.',
  '요즘 운동을 다시 시작해서 발이 편한 운동화도 하나 사고 싶은데 추천해 주실 수 있나요?',
  '비가 오는 날에도 미끄럽지 않고 가격이 십만 원을 넘지 않으면 더 좋아요.',
  '어머니 생신 선물로는 꽃다발과 작은 화장품 세트를 생각하고 있습니다.',
  '집에 있는 세탁기가 오래되어서 소리가 커졌는데 새로 사는 것이 나을까요?',
  '설명해 주신 내용을 남편과 함께 읽어 보고 주말까지 결정하려고 합니다.',
];
const CHINESE = [
  '我们打算下个月带孩子去杭州旅游,想找一家离西湖近一点的酒店。',
  '房间最好大一些,早餐要丰富,价格不要超过每晚八百元。',
  '上次住的地方离地铁站太远,每天都要打车,花了不少钱。',
  '另外我最近开始跑步,想买一双舒服的跑鞋,你有什么推荐吗?',
  '下雨天也要防滑,颜色深一点比较好,不容易脏。',
  '妈妈的生日快到了,她喜欢种花和看书,送什么礼物合适呢?',
  '家里的洗衣机声音越来越大,是修理好还是换一台新的更划算?',
  '谢谢你的建议,我先和家人商量一下,周末再做决定。',
];
const THAI = [
  'เดือนหน้าเราอยากพาครอบครัวไปเที่ยวเชียงใหม่ กำลังหาโรงแรมที่อยู่ใกล้ตัวเมือง',
  'ขอห้องที่กว้างหน่อย มีอาหารเช้า และราคาไม่เกินสองพันบาทต่อคืน',
  'ครั้งก่อนที่พักอยู่ไกลจากสถานีรถไฟมาก ต้องนั่งแท็กซี่ทุกวัน',
  'ช่วงนี้เริ่มวิ่งตอนเช้า อยากได้รองเท้าวิ่งที่ใส่สบาย มีรุ่นไหนแนะนำบ้าง',
  'วันเกิดของแม่ใกล้จะถึงแล้ว ท่านชอบปลูกต้นไม้และอ่านหนังสือ ควรซื้ออะไรให้ดี',
  'เครื่องซักผ้าที่บ้านเสียงดังขึ้นเรื่อยๆ ควรซ่อมหรือซื้อเครื่องใหม่ดีกว่ากัน',
  'ขอบคุณมากสำหรับคำแนะนำ เดี๋ยวจะลองคุยกับที่บ้านก่อนแล้วค่อยตัดสินใจ',
];
const ARABIC = [
  'نخطط لرحلة عائلية إلى إسطنبول في الشهر القادم ونبحث عن فندق قريب من البحر.',
  'نريد غرفة واسعة مع وجبة الإفطار وبسعر لا يتجاوز مئة دولار في الليلة.',
  'في المرة الماضية كان السكن بعيدا عن المحطة ودفعنا كثيرا لسيارات الأجرة.',
  'بدأت أمارس الجري في الصباح وأحتاج إلى حذاء رياضي مريح، فهل عندك اقتراحات؟',
  'يقترب عيد ميلاد والدتي وهي تحب الزهور والقراءة، فما الهدية المناسبة لها؟',
  'غسالة البيت صارت صاخبة جدا، فهل الأفضل أن نصلحها أم نشتري واحدة جديدة؟',
  'شكرا على النصائح، سأتحدث مع أسرتي أولا ثم نقرر في نهاية الأسبوع.',
];
const PERSIAN = [
  'می‌خواهیم ماه آینده با بچه‌ها به شیراز برویم و دنبال هتلی نزدیک باغ‌های شهر می‌گردیم.',
  'اتاق بزرگ‌تر باشد و صبحانه هم داشته باشد، ولی قیمتش خیلی بالا نباشد.',
  'کفش‌های ورزشی من کهنه شده‌اند و می‌خواهم یک جفت راحت‌تر بخرم، چه پیشنهادی دارید؟',
  'ماشین لباس‌شویی خانه صدا می‌دهد و نمی‌دانم تعمیرش کنیم یا نو بخریم.',
  'برای تولد مادرم دنبال هدیه‌ای می‌گردم، او گل‌ها و کتاب‌ها را دوست دارد.',
];
const VIETNAMESE = [
  'Tháng sau gia đình tôi muốn đi Đà Nẵng và đang tìm một khách sạn gần bãi biển.',
  'Phòng nên rộng một chút, có bữa sáng và giá không quá một triệu đồng mỗi đêm.',
  'Lần trước chỗ ở cách nhà ga khá xa nên ngày nào chúng tôi cũng phải gọi xe.',
  'Dạo này tôi bắt đầu chạy bộ buổi sáng, bạn có thể gợi ý một đôi giày thoải mái không?',
  'Sắp đến sinh nhật mẹ tôi, bà thích trồng hoa và đọc sách, tôi nên mua quà gì?',
  'Máy giặt ở nhà kêu càng ngày càng to, nên sửa hay mua cái mới thì hơn?',
].map((sentence) => sentence.normalize('NFD'));
const EMOJI = [
  'We booked the flights to Lisbon today! ✈️🎉 Now we need a nice hotel 🏨 near the beach 🏖️.',
  'The kids 👧👦 want a pool 🏊‍♀️ and I want good coffee ☕ in the morning 😄.',
  'My running shoes 👟 are falling apart 😭 so I need new ones before the race 🏃‍♂️💨.',
  'Any tips for a birthday 🎂 gift for my mom 👩‍🦳? She loves flowers 🌷 and books 📚.',
  'A week by the sea ❤️ with the best pancakes 🥞👍🏽 in town!',
];
const NUMBERS = [
  'The flat has 84.5 square meters and costs 1,250 euros a month, plus 180 for heating.',
  'We have 3 rooms, 2 children aged 7 and 11, and a budget of about 4,500 for the move.',
  'The washing machine holds 8 kg, turns 1400 times a minute and uses 47 kWh for 100 cycles.',
  'Running shoes in size 43 or 9.5 cost from 80 to 120 dollars, in 4 widths and 12 colors.',
  'The race on 2026-10-04 begins at 9:30 and is 21.1 km long; last year I needed 1:52.',
];

/** The texts by script. Many units appear both joined and separated by spaces. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  Latin: {
    sentences: ENGLISH,
    letters: LATIN,
    repeated: {
      a: 'a',
      'a compound': 'waschmaschinenversicherungskaufberatung',
      'a compound, blanks between': 'waschmaschinenversicherungskaufberatung ',
      'long words of a language with compounds': 'das ist nicht meine waschmaschinenversicherungskauf und ',
      'a word': 'hotel',
      'a word, blanks between': 'hotel ',
      'one letter, blanks between': 'a ',
      'two letters, blanks between': 'ab ',
      capitals: 'Ab ',
      owners: "Anna's ",
      'letters of the wrong width': 'ｗ',
      'mathematical letters': '𝐡',
      'a keyword of a campaign': 'running shoes ',
      'a phrase of the lexicon': 'book a hotel room ',
      'phrases that sensitive ones begin with': 'movie rape book ',
      'words of rules for safety': 'kill the weapon of my child with a bar ',
      negations: 'not no never dont instead of ',
      errands: 'remind me to buy dog food ',
    },
  },
  umlauts: {
    sentences: GERMAN,
    letters: `${LATIN}äöüß`,
    repeated: {
      ü: 'ü',
      ß: 'ß',
      'ß, blanks between': 'ß ',
      'a compound': 'straßenbahnhaltestellenüberdachung',
      'a compound, blanks between': 'straßenbahnhaltestellenüberdachungen ',
      'an uncached compound after a sentence': 'für die küchengerätegebrauchtwagenversicherung ',
    },
  },
  Hangul: {
    sentences: KOREAN,
    letters: '한국어를가나다라마바사아자차카타파하에서는으로은이',
    repeated: {
      한국어를: '한국어를',
      를: '를',
      '한국어를, blanks between': '한국어를 ',
      'many particles': '호텔에서는으로는까지는 ',
      'signs that are spelled out': '㈝',
    },
  },
  Jamo: {
    sentences: KOREAN,
    repeated: { ㅋ: 'ㅋ', 'ㅋ, blanks between': 'ㅋ ', 'conjoining ones': '\u110f', 'of half width': 'ﾡ' },
  },
  Han: {
    sentences: CHINESE,
    letters: '我想预订酒店孩子杭州旅游房间早餐价格地铁跑鞋颜色妈妈生日洗衣机',
    repeated: {
      我: '我',
      'a sentence without marks': '我想预订酒店',
      'a word, blanks between': '酒店 ',
      Hiragana: 'あ',
      Katakana: 'ア',
      'squared Katakana': '㌀',
      'rare signs': '\u{20000}',
      'a letter between': '我a',
    },
  },
  Thai: {
    sentences: THAI,
    letters: 'กขคงจฉชซญดตถทธนบปผพฟภมยรลวสหอ',
    repeated: { ก: 'ก', โรงแรม: 'โรงแรม', 'a vowel': 'เ', Khmer: 'ក', Burmese: 'က', Lao: 'ກ', 'am decomposed': 'ํา' },
  },
  Arabic: {
    sentences: ARABIC,
    letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
    repeated: {
      ب: 'ب',
      'a word': 'والفندق',
      'a word, blanks between': 'والفندق ',
      'eighteen letters in one': '\ufdfa',
      'eighteen letters in one, blanks between': '\ufdfa ',
      'a letter that only lengthens': 'ـ',
    },
  },
  emoji: {
    sentences: EMOJI,
    repeated: {
      'a face': '😀',
      'a family': '👩‍👩‍👧‍👦',
      'a flag': '🇩🇪',
      'a keycap': '1️⃣',
      'a skin tone': '👍🏽',
      'a flag of tags': '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'a word between': '😀 hotel ',
    },
  },
  'combining marks': {
    sentences: VIETNAMESE,
    letters: 'कखगघचछजझटठडतथदधनपफबभमयरलवसह',
    repeated: {
      'an accent': 'e\u0301',
      'accents alone': '\u0301',
      'accents in the wrong order': '\u0301\u0323',
      'accents in the wrong order on letters': `a${'\u0301\u0323'.repeat(40)}`,
      'a vowel sign': 'कि',
      'a virama': 'क्',
      enclosing: '\u20dd',
    },
  },
  'zero-width characters': {
    sentences: PERSIAN,
    repeated: {
      'a blank': '\u200b',
      'a joiner': '\u200d',
      'a non-joiner': 'ب\u200c',
      'within words': 'ho\u200btel ',
      'variation selectors': '\ufe0f',
      tags: '\u{e0061}',
      'a soft hyphen': 'a\u00ad',
      'a mark of direction': '\u200e',
    },
  },
  digits: {
    sentences: NUMBERS,
    repeated: {
      1: '1',
      'blanks between': '1 ',
      'dots between': '1.',
      'commas between': '1,',
      'hyphens between': '1 - ',
      'colons between': '1:',
      Arabic: '٣',
      'groups of four': '4111 ',
      'account numbers': 'GB29NWBK60161331926819',
      addresses: '1.2.3.',
      years: '1994 ',
      sums: '2 * 3 = ',
    },
  },
  punctuation: {
    sentences: ENGLISH,
    repeated: {
      dots: '.',
      'dots, blanks between': '. ',
      'question marks': '?',
      blanks: ' ',
      lines: '\n',
      'a blank of another kind': '\u3000',
      quotes: '"',
      apostrophes: "'",
      'apostrophes in a word': "a'",
      'dots in a word': 'a.',
      'apostrophes between dots': "a'b.",
      'ampersands in a word': 'a&',
      'dots and apostrophes': "a.b'c&d.e' ",
      brackets: '(',
      'open brackets before a capital': '((((A',
      'ends of short sentences': 'a! ',
      'at signs': '@',
      'halves of addresses': 'a@',
      'addresses as they are said': 'a [at] a ',
      'long names before an at sign': `${'a'.repeat(64)} @`,
      hyphens: '-',
      'many signs for one': '…',
      'a fraction': '⅓',
    },
  },
  markup: {
    sentences: ENGLISH,
    repeated: {
      'open tags': '<',
      'cells of a table': '<td>',
      'a tag that does not end': '<td ',
      'a comment': '<!--',
      'a script': '<script>',
      'ends of scripts': '</script ',
      'signs of programs': '{};',
      'a query': 'SELECT a ',
      conditions: '\nif (a',
      imports: '\nfrom a',
      'speakers of a transcript': '\nai:',
      'links of Markdown': '[a](',
      JSON: '{"a',
      escapes: '%41',
      Base64: 'QUJDREVG+',
      'spread letters': 'a-b-',
    },
  },
  mixtures: {
    sentences: [...ENGLISH, ...GERMAN, ...KOREAN, ...CHINESE, ...ARABIC],
    letters: `${LATIN}абвгдежзиклмнопрстуфхцчшщ`,
    repeated: {
      'letters and Han': 'a我',
      'letters and Hangul': 'a한',
      'all in one word': 'aA1ü我한กب',
      'all with blanks': 'a 1 ü 我 한 ก ب ',
      'a word of each': 'hotel Straße 호텔 酒店 โรงแรม فندق ',
      'hidden signs and marks': 'h\u200bo\u0301😀\ufe0f ',
    },
  },
};

/** The number of characters of ordinary text before a hostile one, which determine its language. */
const INTRODUCTION_LENGTH = 400;
/** The number of characters per message. */
export const MESSAGE_LENGTH = 32_768;
/** The lengths of random words. */
const NEW_WORD_LENGTHS = [3, 8, 24, 30, 100];

/** Creates a text. Most return the same text on every call; random words differ on each call. */
export type MakeText = () => string;

let newWordTexts = 0;

/** Texts of a script by name: an ordinary one, then every hostile one, with and without an ordinary introduction to each message. */
export function hostileTexts(name: string, length: number): { ordinary: MakeText } & Record<string, MakeText> {
  const { sentences, repeated: units, letters } = SCRIPTS[name]!;
  const plain = ordinary(sentences, length);
  const texts: { ordinary: MakeText } & Record<string, MakeText> = { ordinary: () => plain };
  const add = (text: string, make: MakeText) => {
    texts[text] = make;
    texts[`${text}, introduced`] = () => introduced(make(), plain);
  };
  for (const [unit, text] of Object.entries(units)) {
    const whole = repeated(text, length);
    add(unit, () => whole);
  }
  for (const letterCount of letters ? NEW_WORD_LENGTHS : [])
    add(`${NEW_WORDS} of ${letterCount} letters`, () => newWords(letters!, letterCount, length, ++newWordTexts));
  return texts;
}

const NEW_WORDS = 'new words';
export const isOfNewWords = (text: string): boolean => text.startsWith(NEW_WORDS);

function introduced(text: string, ordinaryText: string): string {
  const introduction = `${ordinaryText.slice(0, INTRODUCTION_LENGTH)}. `;
  const messages: string[] = [];
  for (let at = 0; at < text.length; at += MESSAGE_LENGTH) {
    const message = text.slice(at, at + MESSAGE_LENGTH);
    messages.push((introduction + message).slice(0, message.length));
  }
  return messages.join('');
}

/** Repeats a unit up to a length. */
const repeated = (unit: string, length: number): string => cutTo(unit.repeat(Math.ceil(length / unit.length)), length);

/** A long conversation: sentences in a fixed pseudo-random order. */
function ordinary(sentences: readonly string[], length: number): string {
  const random = generator(1);
  const chosen: string[] = [];
  for (let written = 0; written < length; ) {
    const sentence = sentences[Math.floor(sentences.length * random())]!;
    chosen.push(sentence);
    written += sentence.length + 1;
  }
  return cutTo(chosen.join(' '), length);
}

/** Random words of a length, which no cache contains. Each seed gives other words. */
function newWords(letters: string, wordLength: number, length: number, seed: number): string {
  const random = generator(seed);
  const letter = () => letters[Math.floor(letters.length * random())]!;
  const words: string[] = [];
  for (let written = 0; written < length; written += wordLength + 1)
    words.push(Array.from({ length: wordLength }, letter).join(''));
  return cutTo(words.join(' '), length);
}

/** Truncates a text, without a lone surrogate at its end. */
const cutTo = (text: string, length: number): string => text.slice(0, length).toWellFormed().replaceAll('\ufffd', ' ');
