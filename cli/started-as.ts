import type { Environment } from './environment.ts';

/** How the program was started, and the folder from which its caller sees relative paths. */
export type Start = { programName: string; directory: string };

/** `npm run cli` changes into the project's folder first, and keeps the caller's in INIT_CWD. */
export function startedAs(environment: Environment, workingDirectory: string): Start {
  const isScript =
    environment.npm_lifecycle_event === 'cli' && environment.npm_package_name === '@media-jobs/stack';
  if (!isScript) return { programName: 'media-jobs', directory: workingDirectory };
  return { programName: 'npm run cli --', directory: environment.INIT_CWD ?? workingDirectory };
}
