import { formatBytes } from '../../formatting/quantities.ts';
import type { DownloadedFile } from '../transfer/download-files.ts';
import { columns } from './columns.ts';

/** What was downloaded, for people. */
export function filesText(files: readonly DownloadedFile[]): string {
  return columns(files.map(({ path, sizeBytes }) => [formatBytes(sizeBytes), path]));
}
