import { uploadedFileUrl } from '../job/uploaded-files.ts';

/** An address at which this page can show a job's input: its own URL, or the file that was dropped here. */
export function playableInputUrl(inputUrl: string): string | undefined {
  if (/^https?:/i.test(inputUrl)) return inputUrl;
  return uploadedFileUrl(inputUrl);
}
