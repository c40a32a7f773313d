// Loaded before every entry point. Without this check, an older Node fails with an obscure message about file extensions.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `This project needs Node 24, but this is ${process.version}. "npm ci" installs Node 24 for npm scripts: ` +
      'run it without --ignore-scripts, and start commands with "npm run …".',
  );
  process.exit(1);
}

// Cache stripped and compiled modules between runs: programs start in half the time.
const { enableCompileCache } = await import('node:module');
enableCompileCache();
