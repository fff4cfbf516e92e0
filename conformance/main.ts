import { checkStage } from './check-stage.ts';
import { formatUsage, readOptions } from './options.ts';
import { suite } from './suite.ts';

const usage = formatUsage({
  command: 'conformance',
  description: 'Checks a running stage against every sentence of the specification, over HTTP.',
});

const args = process.argv.slice(2);
try {
  if (args.includes('--help')) console.log(usage);
  else process.exitCode = await checkStage(suite, readOptions({ args, variables: process.env, usage }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
