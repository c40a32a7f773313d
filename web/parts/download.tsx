import { useAct } from './live.ts';

/** The name of a CSV file with figures of a period. */
export const toFileName = (name: string, { from, to }: { from: string; to: string }): string =>
  `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${from}-${to}.csv`;

interface DownloadProps {
  /** Loads the text of the file. */
  load(): Promise<string>;
  file: string;
}

export function Download({ load, file }: DownloadProps) {
  const { isBusy, problem, act } = useAct(false);
  const save = () =>
    act(async () => {
      const address = URL.createObjectURL(new Blob([await load()], { type: 'text/csv' }));
      const link = document.createElement('a');
      link.href = address;
      link.download = file;
      link.click();
      URL.revokeObjectURL(address);
    });
  return (
    <>
      <button type="button" class="small" aria-disabled={isBusy} onClick={save}>
        Download CSV
      </button>
      {problem && (
        <small class="fault" role="alert">
          {problem}
        </small>
      )}
    </>
  );
}
