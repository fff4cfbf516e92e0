export { aStubApi } from './builders/a-stub-api.ts';
export { cliProcess } from './builders/cli-process.ts';
export { anApiKey, runCli } from './builders/run-cli.ts';
