import type { JobResource } from '../../core/api/job-resource.ts';
import type { Tools } from '../tools/tools.ts';
import { destinations } from './destinations.ts';
import { type DownloadedFile, downloadFiles } from './download-files.ts';

/** Downloads the files of a job to where they were asked for, and shows how far that is. */
export async function fetchFiles(
  job: JobResource,
  { directory, signal, progress }: Tools,
  { asked, force }: { asked: string | undefined; force: boolean },
): Promise<DownloadedFile[]> {
  const places = await destinations(job, { asked, directory });
  const view = progress();
  return downloadFiles(places, { force, signal, view }).finally(view.end);
}
