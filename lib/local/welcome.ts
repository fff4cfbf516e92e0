import { samplePaths } from './sample.ts';

export type Welcome = {
  baseUrl: string;
  apiKey: string;
  /** See `describeFfmpeg`. */
  ffmpeg: string;
};

/** The message when the stage is ready. Its commands work in a POSIX shell when pasted in this order. */
export function welcome({ baseUrl, apiKey, ffmpeg }: Welcome): string {
  const job = {
    mode: 'recipe',
    input: { url: `${baseUrl}${samplePaths.clip}` },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 30 },
    webhookUrl: `${baseUrl}${samplePaths.webhook}`,
  };
  return `
The stage is ready. Ctrl-C stops it and keeps its data.

  Dashboard  ${baseUrl}/app/  (sign in with one click; it shows the jobs of the key below)
  Encoder    ${ffmpeg}

In another terminal, set the address and the API key:

  export MEDIA_JOBS_URL=${baseUrl}
  export MEDIA_JOBS_KEY=${apiKey}

Compress the sample clip. Its webhook is logged in this terminal:

  curl -s $MEDIA_JOBS_URL/api/v1/jobs \\
    -H "X-API-KEY: $MEDIA_JOBS_KEY" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(job)}'

List the jobs, newest first, with a signed URL for each output:

  curl -s $MEDIA_JOBS_URL/api/v1/jobs -H "X-API-KEY: $MEDIA_JOBS_KEY"

Compress your own file and download the result:

  npm run cli -- submit holiday.mov --recipe compress --crf 28 --wait --download

Next: docs/api.md and docs/cli.md.
`;
}
