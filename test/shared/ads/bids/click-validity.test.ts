import { describe, expect, it } from 'vitest';
import { createIsCrawler } from '../../../../shared/ads/bids/click-validity.ts';
import CRAWLER_NAMES from '../../../../shared/ads/bids/crawler-names.json' with { type: 'json' };

const isCrawler = createIsCrawler();

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT}`;
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9)';
const WEBVIEW = `Mozilla/5.0 (Linux; Android 14; SM-S921B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.7390.43 Mobile Safari/537.36`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';

const DECLARED = {
  'search engines': [
    'Googlebot/2.1 (+http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'Googlebot-Image/1.0',
    'GoogleOther',
    'Mozilla/5.0 (compatible; Google-InspectionTool/1.0)',
    'AdsBot-Google (+http://www.google.com/adsbot.html)',
    'Mediapartners-Google',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
    'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Applebot/0.1; +http://www.apple.com/go/applebot)',
    'Mozilla/5.0 (compatible; SeznamBot/4.0; +http://napoveda.seznam.cz/en/seznambot-intro/)',
    'Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
    'Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/bot)',
    'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
    'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider',
    'Mozilla/5.0 (compatible; coccocbot-web/1.0; +http://help.coccoc.com/searchengine)',
    'Mozilla/5.0 (compatible; MojeekBot/0.11; +https://www.mojeek.com/bot.html)',
    'Mozilla/5.0 (compatible; Qwantify/2.4w; +https://www.qwant.com/)/2.4w',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)',
    'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)',
    'Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)',
    'ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)',
    'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)',
  ],
  'previews in social networks and chats': [
    'facebookexternalhit/1.1',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Twitterbot/1.0',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slackbot 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy 0.59 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.23.20.0',
    'WhatsApp/2.21.12.21 A',
    `Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5`,
    'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    'Mozilla/5.0 (compatible; Linespider/1.1; +https://lin.ee/4dwXkTH)',
    'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/)',
    'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
    'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
    'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
    'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  ],
  'AI crawlers': [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    'CCBot/2.0 (https://commoncrawl.org/faq/)',
    `${LINUX} AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bytespider; spider-feedback@bytedance.com)`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)',
  ],
  monitors: [
    'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
    'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
    'StatusCake_Uptime_Checker/1.0',
    'Site24x7',
    'Uptime-Kuma/1.23.16',
    'HetrixTools Uptime Monitoring Bot. https://hetrix.tools/uptime-monitoring-bot.html',
    'Mozilla/5.0 (compatible; Cloudflare-Healthchecks/1.0; +https://www.cloudflare.com/; healthcheck-id: AAAAAAAAAAAAAAAA)',
    'Amazon-Route53-Health-Check-Service (ref b0eb04d5-cb5e-40e7-839b-558e52fc3f0d; report http://amzn.to/1vsZADi)',
    'ELB-HealthChecker/2.0',
    `${LINUX} ${CHROME} Safari/537.36 DatadogSynthetics`,
    `${LINUX} ${CHROME} Safari/537.36 NewRelicSynthetics/1.0`,
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse',
  ],
};

const ORDINARY = {
  'browsers of desks': [
    `${WINDOWS} ${CHROME} Safari/537.36`,
    `${MAC} ${CHROME} Safari/537.36`,
    `${LINUX} ${CHROME} Safari/537.36`,
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
    `${WINDOWS} ${CHROME} Safari/537.36 Edg/141.0.0.0`,
    `${WINDOWS} ${CHROME} Safari/537.36 OPR/122.0.0.0`,
    `${WINDOWS} ${CHROME} Safari/537.36 Vivaldi/7.6.3797.52`,
    `${WINDOWS} ${CHROME} YaBrowser/25.8.0.0 Safari/537.36`,
    `${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) coc_coc_browser/141.0.152 Chrome/135.0.0.0 Safari/537.36`,
    `${WINDOWS} ${CHROME} Safari/537.36 SE 2.X MetaSr 1.0`,
    `${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15`,
    `${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15 Ddg/18.6`,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    `${MAC} ${CHROME} Electron/38.1.0 Safari/537.36`,
    `${MAC} AppleWebKit/537.36 (KHTML, like Gecko) Notion/4.20.0 Chrome/136.0.0.0 Electron/36.4.0 Safari/537.36`,
    'Lynx/2.9.2 libwww-FM/2.14 SSL-MM/1.4.1 OpenSSL/3.3.1',
  ],
  'browsers of phones and televisions': [
    `${ANDROID} ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0',
    `Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 13; CUBOT KINGKONG 9) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; U; Android 14; en-us; Xiaomi 14) ${CHROME} Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.24.0-gn`,
    'Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN00) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/16.0.2.300 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; U; Android 13; en-US; RMX3834) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 UCBrowser/13.7.0.1320 Mobile Safari/537.36',
    'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80/191.308; U; en) Presto/2.5.25 Version/10.54',
    `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`,
    `${IPHONE} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`,
    `${IPHONE} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`,
    `${IPHONE} EdgiOS/141.0.3537.57 Version/18.0 Mobile/15E148 Safari/604.1`,
    `Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/8.0 TV Safari/537.36`,
  ],
  'browsers in apps': [
    `${IPHONE} Mobile/22G86 [FBAN/FBIOS;FBAV/530.0.0.40.75;FBBV/800;FBDV/iPhone16,1;FBMD/iPhone;FBSN/iOS;FBSV/18.6;FBSS/3;FBCR/;FBID/phone;FBLC/en_US]`,
    `${WEBVIEW} [FB_IAB/FB4A;FBAV/530.0.0.48.74;]`,
    `${WEBVIEW} MetaIAB Facebook`,
    `${IPHONE} Mobile/22G86 Instagram 400.0.0.27.75 (iPhone16,1; iOS 18_6; en_US; en; scale=3.00; 1179x2556; 800)`,
    `${IPHONE} Mobile/22G86 Twitter for iPhone/11.20`,
    `${IPHONE} Mobile/22G86 [LinkedInApp]/9.31.1390`,
    `${IPHONE} Mobile/22G86 Safari/604.1 [Pinterest/iOS]`,
    `${IPHONE} Mobile/22G86 Snapchat/13.60.0.50 (like Safari/8622.2.11, panda)`,
    `${WEBVIEW} trill_400102 BytedanceWebview/d8a21c6 musical_ly_2024 JsSdk/1.0 AppName/musical_ly ByteLocale/en`,
    `${IPHONE} Mobile/22G86 MicroMessenger/8.0.61(0x18003d34) NetType/WIFI Language/en`,
    `${IPHONE} Safari Line/15.14.0`,
    `${WEBVIEW} KAKAOTALK/25.8.1 (INAPP)`,
    `${WEBVIEW};DaumApps/9.3.2 DaumDevice/mobile`,
    `Mozilla/5.0 (Linux; Android 7.1.2; G011A Build/N2G48H; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/66.0.3359.158 Safari/537.36 Viber/11.9.5.8`,
    `${WEBVIEW} Telegram-Android/11.14.1 (Samsung SM-S921B; Android 14; SDK 34; HIGH)`,
    `${IPHONE} GSA/385.0.803567263 Mobile/15E148 Safari/604.1`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} discord/0.0.360 Electron/37.6.0 Safari/537.36`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Slack_SSB/4.46.101 Electron/38.1.2 Safari/537.36`,
  ],
  'HTTP clients and backends': [
    'curl/8.5.0',
    'Wget/1.21.4',
    'HTTPie/3.2.2',
    'PostmanRuntime/7.36.1',
    'insomnia/8.6.1',
    'python-requests/2.31.0',
    'Python-urllib/3.12',
    'python-httpx/0.27.0',
    'Python/3.12 aiohttp/3.9.3',
    'node',
    'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
    'undici',
    'axios/1.6.7',
    'got (https://github.com/sindresorhus/got)',
    'Deno/1.40.5',
    'Bun/1.0.26',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'Java/21.0.2',
    'Java-http-client/21.0.2',
    'Apache-HttpClient/5.3 (Java/21.0.2)',
    'Ruby',
    'Faraday v2.9.0',
    'GuzzleHttp/7',
    'PHP/8.2',
    'Symfony HttpClient (Curl)',
    'WordPress/6.4; https://example.org',
    'libwww-perl/6.76',
    'reqwest/0.11.24',
    'Dart/3.3 (dart:io)',
    'ExampleApp/7 CFNetwork/3826.600.41 Darwin/24.6.0',
    'Dalvik/2.1.0 (Linux; U; Android 14; SM-S921B Build/UP1A.231005.007)',
    'Amazon CloudFront',
    'AppEngine-Google; (+http://code.google.com/appengine; appid: s~example)',
    'test-agent',
    'MyAgent/1.0',
    'MyBackend/2.0 (+https://example.org)',
    'MyBackend/2.0 (https://example.org/contact; ops@example.org)',
    'ChatbotBackend/3.1 (+https://robots.example.org/about)',
    'AcmeBot/1.0',
    'support-bot',
    'Mozilla/5.0 (compatible; Synapse)',
    'Robotics Weekly/4.2',
    '',
    ' ',
  ],
  'browsers driven by programs': [
    `${LINUX} AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36`,
    `${WINDOWS} ${CHROME} Safari/537.36 Playwright/1.56.0`,
    `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36 Puppeteer`,
    'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
    `${LINUX} ${CHROME} Safari/537.36 Cypress/15.4.0`,
  ],
};

describe('createIsCrawler', () => {
  it.each(Object.entries(DECLARED))('recognizes declared crawlers: %s', (_, agents) => {
    expect(agents.filter((agent) => !isCrawler(agent))).toEqual([]);
  });

  it.each(Object.entries(ORDINARY))('does not treat other clients as crawlers: %s', (_, agents) => {
    expect(agents.filter(isCrawler)).toEqual([]);
  });

  it('matches a name at the start of a word, not within another word', () => {
    expect(['GPTBot', 'x GPTBot/1', '(GPTBot;', 'GPTBot-User'].filter((agent) => !isCrawler(agent))).toEqual([]);
    expect(['MyGPTBot/1', '7GPTBot', 'GPTBottle/2', 'gptbot', 'GPT Bot'].filter(isCrawler)).toEqual([]);
  });

  it('has no name that an ordinary program may have', () => {
    const generic = [
      'bot',
      'Bot',
      'crawler',
      'spider',
      'http',
      'https',
      'www',
      'Mozilla',
      'compatible',
      'Safari',
      'Mobile',
    ];
    expect(generic.filter(isCrawler)).toEqual([]);
    expect(CRAWLER_NAMES.filter((name) => name.length < 4)).toEqual(['Y!J']);
    // Names are looked up at the start of words.
    expect(CRAWLER_NAMES.filter((name) => !/^[A-Za-z0-9]/.test(name))).toEqual([]);
  });
});
