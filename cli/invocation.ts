import type { Environment } from './environment.ts';

/** How the program was started, and the folder from which its caller sees relative paths. */
export type Invocation = { programName: string; workingDirectory: string };

/** `npm run cli` changes into the project's folder first, and keeps the caller's in INIT_CWD. */
export function detectInvocation(environment: Environment, workingDirectory: string): Invocation {
  const isScript =
    environment.npm_lifecycle_event === 'cli' && environment.npm_package_name === '@media-jobs/stack';
  if (!isScript) return { programName: 'media-jobs', workingDirectory: workingDirectory };
  return { programName: 'npm run cli --', workingDirectory: environment.INIT_CWD ?? workingDirectory };
}
