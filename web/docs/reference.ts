import './reference.css';

/** Swagger UI's global, which its own script defines. */
declare const SwaggerUIBundle: (options: object) => unknown;

const DOCUMENT = '/api/v1/openapi.json';

const dark = matchMedia('(prefers-color-scheme: dark)');
/** Swagger UI has no automatic dark mode, only this class. */
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** Accessibility attributes that Swagger UI lacks: names, and heading levels without gaps. */
const MISSING: readonly [selector: string, attributes: Readonly<Record<string, string>>][] = [
  ['.information-container', { role: 'region', 'aria-label': 'About this API' }],
  ['.scheme-container', { role: 'region', 'aria-label': 'Server and credentials' }],
  ['select#servers', { 'aria-label': 'Server' }],
  ['h3.opblock-tag, .models h4, .modal-ux-header h3', { 'aria-level': '2' }],
  ['.opblock-body h4, .modal-ux-content h4', { 'aria-level': '3' }],
  ['.opblock-body h5, .modal-ux-content h5', { 'aria-level': '4' }],
  ['.close-modal', { 'aria-label': 'Close' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['textarea.body-param__text', { 'aria-label': 'Request body' }],
  // As regions, the tables would each need a name.
  ['.responses-table', { role: 'table' }],
  // Scrollable areas must be reachable by keyboard.
  ['.opblock-body pre', { tabindex: '0' }],
];

const root = document.querySelector('#docs')!;

/** Adds the missing attributes to the elements that Swagger UI has rendered. */
function addMissing(): void {
  for (const [selector, attributes] of MISSING)
    for (const element of root.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  for (const row of root.querySelectorAll<HTMLElement>('tr[data-param-name]'))
    for (const field of row.querySelectorAll('select, input, textarea'))
      if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', row.dataset.paramName!);
  // The accessible name must match the visible text, so that voice control finds the button.
  for (const button of root.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
  // A link inside a button is a second target in the same place. The button already does the same.
  for (const link of root.querySelectorAll('button a[href]')) link.removeAttribute('href');
}
new MutationObserver(addMissing).observe(root, { childList: true, subtree: true });

interface ViewerResponse {
  url: string;
  text: string;
}

SwaggerUIBundle({
  url: DOCUMENT,
  // The page may send requests only to its own origin, which is not always the address that the service knows.
  responseInterceptor(response: ViewerResponse) {
    if (new URL(response.url, location.origin).pathname === DOCUMENT)
      response.text = JSON.stringify({ ...JSON.parse(response.text), servers: [{ url: location.origin }] });
    return response;
  },
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  // Every color of this theme has enough contrast.
  syntaxHighlight: { theme: 'obsidian' },
});
