/** The build defines it. */
declare const PACKAGE_VERSION: string;

/** The version of the package whose build contains this file; `source` without a build. */
export const VERSION = typeof PACKAGE_VERSION === 'undefined' ? 'source' : PACKAGE_VERSION;
