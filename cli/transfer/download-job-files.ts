import type { JobResource } from '../../core/api/job-resource.ts';
import type { CommandContext } from '../context/command-context.ts';
import { type Destination, destinations } from './destinations.ts';
import { type DownloadedFile, downloadFiles } from './download-files.ts';

/** Downloads the files of a job to where they were asked for, and shows how far that is. */
export async function downloadJobFiles(
  job: JobResource,
  { client, workingDirectory, signal, pause, openProgressView }: CommandContext,
  { asked, force }: { asked: string | undefined; force: boolean },
): Promise<DownloadedFile[]> {
  const places = await destinations(job, { asked, directory: workingDirectory });
  const view = openProgressView();
  const renewUrl = async ({ name, url }: Destination) => {
    const now = await client.getJob({ params: { id: job.jobId } });
    const again = await destinations(now, { asked, directory: workingDirectory });
    return again.find((place) => place.name === name)?.url ?? url;
  };
  return downloadFiles(places, { force, signal, pause, view, renewUrl }).finally(view.end);
}
