import type { JobResource } from '../../core/api/job-resource.ts';
import type { Tools } from '../tools/tools.ts';
import { type Destination, destinations } from './destinations.ts';
import { type DownloadedFile, downloadFiles } from './download-files.ts';

/** Downloads the files of a job to where they were asked for, and shows how far that is. */
export async function fetchFiles(
  job: JobResource,
  { client, directory, signal, pause, progress }: Tools,
  { asked, force }: { asked: string | undefined; force: boolean },
): Promise<DownloadedFile[]> {
  const places = await destinations(job, { asked, directory });
  const view = progress();
  const renewUrl = async ({ name, url }: Destination) => {
    const now = await client.getJob({ params: { id: job.jobId } });
    const again = await destinations(now, { asked, directory });
    return again.find((place) => place.name === name)?.url ?? url;
  };
  return downloadFiles(places, { force, signal, pause, view, renewUrl }).finally(view.end);
}
