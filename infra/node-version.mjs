// Loaded before every entry point: without this an older Node fails with a message about file extensions.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `This project runs on Node 24 and this is ${process.version}. "npm ci" brings Node 24 along for every npm script; ` +
      'run it without --ignore-scripts, and start things with "npm run …".',
  );
  process.exit(1);
}

// What TypeScript is without its types, and its compiled code, are kept between runs: a program starts in half the time.
const { enableCompileCache } = await import('node:module');
enableCompileCache();
