/** The states that end a job: exactly these four, and none is ever left. */
export const terminalStates = ['completed', 'failed', 'rejected', 'cancelled'] as const;

/** Every state that a reader of the API can see. */
export const jobStates = ['queued', 'processing', ...terminalStates] as const;

/** Where in its work a job is, or where it stopped. */
export const jobStages = [
  'queued',
  'validating',
  'downloading',
  'probing',
  'transcoding',
  'uploading',
  'done',
] as const;

export type TerminalState = (typeof terminalStates)[number];
export type JobState = (typeof jobStates)[number];
export type JobStage = (typeof jobStages)[number];

/** Whether a state is one of the four that a job ends in. */
export function isTerminalState(state: string): state is TerminalState {
  return (terminalStates as readonly string[]).includes(state);
}
