/** Headers of the page: it loads nothing, and no other page can frame it to collect clicks. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
} as const;

const page = (content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>About this ad</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1rem }
</style>
<main>
${content}
</main>
</html>
`;

/** For links in email or chats without scripts. Opening the page reports nothing, because mail scanners open links too. */
export const ASKING_PAGE = page(`<h1>Did this ad not fit?</h1>
<p>We count your answer and store nothing about you.</p>
<form method="post"><button>Not relevant</button></form>`);

export const THANKS_PAGE = page('<h1>Thanks</h1>\n<p>You can close this page.</p>');

/** Whether a request comes from the page's form, or from following a link. */
export const wantsPage = (accept = ''): boolean => /\btext\/html\b/i.test(accept);
