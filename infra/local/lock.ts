import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './command.ts';

/** SQLite's error code if another connection holds the lock. */
const SQLITE_BUSY = 5;

/**
 * Locks a data folder for this process, because two services on one database would process every record twice. Returns the function
 * that unlocks it. The operating system releases the lock when the process ends, even if it is killed; a process id in a file could
 * be stale or reused. Node has no file locks, so this uses SQLite's, which works on Linux and macOS. The id in `lock` is only for
 * the message.
 */
export function lockFolder(dataDir: string): () => void {
  const idFile = join(dataDir, 'lock');
  const database = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    writeFileSync(idFile, String(process.pid));
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
    const holder = existsSync(idFile) ? `process ${readFileSync(idFile, 'utf8')}` : 'another process';
    throw new StartError(`DATA_DIR=${dataDir} is in use by ${holder}: stop it, or choose another folder`);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
