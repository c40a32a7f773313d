/** The viewer, as its own script makes it known. */
declare const SwaggerUIBundle: (options: object) => unknown;

const dark = matchMedia('(prefers-color-scheme: dark)');
/** The viewer goes dark by a class alone. */
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** What the viewer's elements lack for who cannot see them: names, and levels of headings without gaps. */
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
  // Said to be regions, they would need a name each.
  ['.responses-table', { role: 'table' }],
  // What scrolls is reached by the keyboard.
  ['.opblock-body pre', { tabindex: '0' }],
];

const root = document.querySelector('#docs')!;

/** Says what the viewer leaves out, of what it has drawn since. */
function mend(): void {
  for (const [selector, attributes] of MISSING)
    for (const element of root.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  for (const row of root.querySelectorAll<HTMLElement>('tr[data-param-name]'))
    for (const field of row.querySelectorAll('select, input, textarea'))
      if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', row.dataset.paramName!);
  // Named otherwise than they read, they could not be called by what they read.
  for (const button of root.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
  // A link in a button is two things at one place; the button does what the link would.
  for (const link of root.querySelectorAll('button a[href]')) link.removeAttribute('href');
}
new MutationObserver(mend).observe(root, { childList: true, subtree: true });

SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  // Every colour of it can be read on its ground.
  syntaxHighlight: { theme: 'obsidian' },
});
