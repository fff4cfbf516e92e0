import { checkStage, formatUsage, readOptions, suite } from '@media-jobs/conformance';
import { runMain } from '../build/run-main.ts';

const usage = formatUsage({
  command: 'conformance',
  description: `Checks a running stage against every sentence of the specification, over HTTP.

  npm run conformance -- --local [--only TEXT] [--json]    on a stage that it starts on this machine, every clause`,
});

const args = process.argv.slice(2);
await runMain(
  async () => {
    if (args.includes('--help')) console.log(usage);
    else if (args.includes('--local')) process.exitCode = await checkLocalStage();
    else process.exitCode = await checkStage(suite, readOptions({ args, variables: process.env, usage }));
  },
  { failureCode: 2 },
);

async function checkLocalStage(): Promise<number> {
  // Imported on demand: a stage elsewhere is checked without the tools that build one.
  const { startConformanceStage } = await import('../local/conformance-stage.ts');
  await using stage = await startConformanceStage(console.error);
  const { baseUrl, apiKey, sessionToken } = stage;
  const options = readOptions({
    args: [...args.filter((arg) => arg !== '--local'), '--receive-at', 'http://127.0.0.1', '--receive-port', '0'],
    variables: { MEDIA_JOBS_URL: baseUrl, MEDIA_JOBS_KEY: apiKey, MEDIA_JOBS_SESSION: sessionToken },
    usage,
  });
  return await checkStage(suite, options);
}
