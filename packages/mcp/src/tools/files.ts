import * as z from 'zod';
import { answering } from '../answer.ts';
import { readProbe } from './probe-input.ts';
import type { ToolContext } from './tool-context.ts';

/** Tools that bring files to the service and describe them. */
export function addFileTools({ server, mediaJobs, budget }: ToolContext): void {
  server.registerTool(
    'upload',
    {
      title: 'Upload a file',
      description:
        'Uploads a local file once, for several jobs, and returns its `input`. A job with a path uploads by itself.',
      inputSchema: { path: z.string().describe('Path of the file on this machine.') },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ path }, { signal }) => answering(async () => ({ input: await mediaJobs.uploads.send(path, { signal }) })),
  );
  server.registerTool(
    'probe',
    {
      title: 'Describe a media file',
      description:
        'Reads duration, tracks, codecs, sizes and rates of a file. It is a job that costs a small part of a cent; `probeJobId` makes an estimate exact.',
      inputSchema: { input: z.string().describe('URL, or path of a local file.') },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ input }, { signal }) => answering(() => readProbe({ mediaJobs, budget }, { input, signal })),
  );
}
