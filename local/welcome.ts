export type Welcome = { baseUrl: string; apiKey: string; clipUrl: string; webhookUrl: string };

/** What a newcomer is shown when the stage is ready: lines for a POSIX shell that work when pasted in this order. */
export function welcome({ baseUrl, apiKey, clipUrl, webhookUrl }: Welcome): string {
  const job = {
    mode: 'recipe',
    input: { url: clipUrl },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 30 },
    webhookUrl,
  };
  return `
The stage is ready. Ctrl-C stops it; its data stays.

  Dashboard  ${baseUrl}/app/  (signing in is one click, and shows the jobs of the key below)

In another terminal, where it is and who you are:

  export MEDIA_JOBS_URL=${baseUrl}
  export MEDIA_JOBS_KEY=${apiKey}

Compress a clip that this stage serves; the webhook of its end is logged here:

  curl -s $MEDIA_JOBS_URL/api/v1/jobs \\
    -H "X-API-KEY: $MEDIA_JOBS_KEY" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(job)}'

Look at the jobs, newest first, with a signed download URL for each output:

  curl -s $MEDIA_JOBS_URL/api/v1/jobs -H "X-API-KEY: $MEDIA_JOBS_KEY"

Or a file of yours, there and back:

  npm run cli -- submit holiday.mov --recipe compress --crf 28 --wait --download

docs/api.md and docs/cli.md go on from here.
`;
}
