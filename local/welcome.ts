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

  Dashboard ${baseUrl}/app/
  Base URL  ${baseUrl}
  API key   ${apiKey}

Compress a clip that this stage serves:

  curl -s ${baseUrl}/api/v1/jobs \\
    -H 'X-API-KEY: ${apiKey}' -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(job)}'

Look at the jobs, newest first, with a signed download URL for each output:

  curl -s ${baseUrl}/api/v1/jobs -H 'X-API-KEY: ${apiKey}'
`;
}
