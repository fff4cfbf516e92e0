import { checkStage, formatUsage, readOptions, suite } from '@media-jobs/conformance';
import { runMain } from '../build/run-main.ts';
import { deployment } from './deploy-check/deployment.ts';
import { media } from './deploy-check/media.ts';

const usage = formatUsage({
  command: 'deploy:check',
  description:
    'Checks a deployed stage from outside: its API must be that of this version and conform to the specification.',
});

const args = process.argv.slice(2);
await runMain(
  async () => {
    const clauses = [...deployment, ...media, ...suite];
    if (args.includes('--help')) console.log(usage);
    else process.exitCode = await checkStage(clauses, readOptions({ args, variables: process.env, usage }));
  },
  { failureCode: 2 },
);
