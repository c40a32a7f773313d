import { existsSync } from 'node:fs';

/** Debian's browsers; the one without windows takes half the processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** Where a Chromium is, or would be: one of Debian's, or another that CHROMIUM names. */
export const chromiumPath = process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0];
