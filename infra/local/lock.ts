import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Takes a data folder for this process; two services on one database would each hand on every record. Gives it back when called. */
export function lockFolder(dataDir: string): () => void {
  const file = join(dataDir, 'lock');
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number(readFileSync(file, 'utf8'));
      if (isAlive(pid))
        throw new StartError(`DATA_DIR=${dataDir} is in use by process ${pid}: end it, or choose another folder`);
      rmSync(file, { force: true }); // left behind by one that was killed
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
