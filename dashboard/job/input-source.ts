import { droppedFile } from '../new-job/dropped-files.ts';

/** An address at which this page can show a job's input: its own URL, or the file that was dropped here. */
export function sourceOf(inputUrl: string): string | undefined {
  if (/^https?:/i.test(inputUrl)) return inputUrl;
  return droppedFile(inputUrl);
}
