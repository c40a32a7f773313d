import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './command.ts';

/** What SQLite says when another connection holds the lock. */
const SQLITE_BUSY = 5;

/**
 * Takes a data folder for this process; two services on one database would each hand on every record. Gives it back when called.
 * The operating system holds the lock and lets go when the process ends, however it ends: an id in a file would still be there
 * for one that was killed and not yet reaped, or belong to another process by now. Node has no file lock; SQLite's is one, the
 * same on Linux and macOS. The id in `lock` is for the message alone.
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
    throw new StartError(`DATA_DIR=${dataDir} is in use by ${holder}: end it, or choose another folder`);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
